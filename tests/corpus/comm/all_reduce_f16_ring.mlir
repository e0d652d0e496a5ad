// Partial sums of 256 KB of f16 in 32 scratchpads: they go around a ring as f32, and the sum is rounded once.
module {
  func.func @all_reduce_f16_ring() attributes {grid = [32]} {
    %me = ktdp.get_compute_tile_id : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 131072 : index
    %pv = ktdp.construct_memory_view %c0, sizes: [1024, 128], strides: [128, 1] {
      coordinate_set = affine_set<(a, b) : (a - 0 >= 0, -a + 1023 >= 0, b - 0 >= 0, -b + 127 >= 0)>, memory_space = #ktdp.memory_space<ct_local>} : memref<1024x128xf16>
    %rv = ktdp.construct_memory_view %c1, sizes: [1024, 128], strides: [128, 1] {
      coordinate_set = affine_set<(a, b) : (a - 0 >= 0, -a + 1023 >= 0, b - 0 >= 0, -b + 127 >= 0)>, memory_space = #ktdp.memory_space<ct_local>} : memref<1024x128xf16>
    %zero = arith.constant dense<0.0> : tensor<1024x128xf16>
    %pt = ktdp.construct_access_tile %pv[0, 0] {access_tile_set = affine_set<(a, b) : (a - 0 >= 0, -a + 1023 >= 0, b - 0 >= 0, -b + 127 >= 0)>, access_tile_order = affine_map<(a, b) -> (a, b)>}
      : memref<1024x128xf16> -> !ktdp.access_tile<1024x128xindex>
    %p = ktdp.load %pt : <1024x128xindex> -> tensor<1024x128xf16>
    %f = ktdp.inter_tile_produce producer_tiles_per_group = affine_set<(i)[g] : (i >= 0, -i + 31 >= 0)> -> <(tensor<1024x128xf16>), groups = affine_set<(g) : (g == 0)>> {
    ^bb0(%gid: index):
      ktdp.yield_partial %p : tensor<1024x128xf16>
    }
    %s = ktdp.inter_tile_reduce(%f) consumer_tiles_per_group = affine_set<(i)[g] : (i >= 0, -i + 31 >= 0)>, identity(%zero : tensor<1024x128xf16>) : <(tensor<1024x128xf16>), groups = affine_set<(g) : (g == 0)>> -> tensor<1024x128xf16> {
    ^bb0(%a: tensor<1024x128xf16>, %b: tensor<1024x128xf16>):
      %t = arith.addf %a, %b : tensor<1024x128xf16>
      ktdp.yield_reduced %t : tensor<1024x128xf16>
    }
    %rt = ktdp.construct_access_tile %rv[0, 0] {access_tile_set = affine_set<(a, b) : (a - 0 >= 0, -a + 1023 >= 0, b - 0 >= 0, -b + 127 >= 0)>, access_tile_order = affine_map<(a, b) -> (a, b)>}
      : memref<1024x128xf16> -> !ktdp.access_tile<1024x128xindex>
    ktdp.store %s, %rt : tensor<1024x128xf16>, <1024x128xindex>
    return
  }
}
