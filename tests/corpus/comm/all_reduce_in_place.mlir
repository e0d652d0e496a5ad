// Partial sums of 32 KB lie in the scratchpads of 4 tiles; all get their sum in the same place.
module {
  func.func @all_reduce_in_place() attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 0 : index
    %pv = ktdp.construct_memory_view %c0, sizes: [64, 128], strides: [128, 1] {
      coordinate_set = affine_set<(a, b) : (a - 0 >= 0, -a + 63 >= 0, b - 0 >= 0, -b + 127 >= 0)>, memory_space = #ktdp.memory_space<ct_local>} : memref<64x128xf32>
    %rv = ktdp.construct_memory_view %c1, sizes: [64, 128], strides: [128, 1] {
      coordinate_set = affine_set<(a, b) : (a - 0 >= 0, -a + 63 >= 0, b - 0 >= 0, -b + 127 >= 0)>, memory_space = #ktdp.memory_space<ct_local>} : memref<64x128xf32>
    %zero = arith.constant dense<0.0> : tensor<64x128xf32>
    %pt = ktdp.construct_access_tile %pv[0, 0] {access_tile_set = affine_set<(a, b) : (a - 0 >= 0, -a + 63 >= 0, b - 0 >= 0, -b + 127 >= 0)>, access_tile_order = affine_map<(a, b) -> (a, b)>}
      : memref<64x128xf32> -> !ktdp.access_tile<64x128xindex>
    %p = ktdp.load %pt : <64x128xindex> -> tensor<64x128xf32>
    %f = ktdp.inter_tile_produce producer_tiles_per_group = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)> -> <(tensor<64x128xf32>), groups = affine_set<(g) : (g == 0)>> {
    ^bb0(%gid: index):
      ktdp.yield_partial %p : tensor<64x128xf32>
    }
    %s = ktdp.inter_tile_reduce(%f) consumer_tiles_per_group = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>, identity(%zero : tensor<64x128xf32>) : <(tensor<64x128xf32>), groups = affine_set<(g) : (g == 0)>> -> tensor<64x128xf32> {
    ^bb0(%a: tensor<64x128xf32>, %b: tensor<64x128xf32>):
      %t = arith.addf %a, %b : tensor<64x128xf32>
      ktdp.yield_reduced %t : tensor<64x128xf32>
    }
    %rt = ktdp.construct_access_tile %rv[0, 0] {access_tile_set = affine_set<(a, b) : (a - 0 >= 0, -a + 63 >= 0, b - 0 >= 0, -b + 127 >= 0)>, access_tile_order = affine_map<(a, b) -> (a, b)>}
      : memref<64x128xf32> -> !ktdp.access_tile<64x128xindex>
    ktdp.store %s, %rt : tensor<64x128xf32>, <64x128xindex>
    return
  }
}
