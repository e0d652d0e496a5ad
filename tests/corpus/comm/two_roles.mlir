// Two roles and a combiner that is no single operation.
module {
  func.func @two_roles(%x: index, %y: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [32, 64], strides: [64, 1] {
      coordinate_set = affine_set<(a, b) : (a - 0 >= 0, -a + 31 >= 0, b - 0 >= 0, -b + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<32x64xf32>
    %xt = ktdp.construct_access_tile %xv[%me * 8, 0] {access_tile_set = affine_set<(a, b) : (a - 0 >= 0, -a + 7 >= 0, b - 0 >= 0, -b + 63 >= 0)>, access_tile_order = affine_map<(a, b) -> (a, b)>}
      : memref<32x64xf32> -> !ktdp.access_tile<8x64xindex>
    %v = ktdp.load %xt : <8x64xindex> -> tensor<8x64xf32>
    %z = arith.constant dense<0.0> : tensor<8x64xf32>
    %low = arith.constant dense<-1.0e30> : tensor<8x64xf32>
    %f = ktdp.inter_tile_produce producer_tiles_per_group = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)> -> <(tensor<8x64xf32>, tensor<8x64xf32>), groups = affine_set<(g) : (g >= 0, -g + 1 >= 0)>> {
    ^bb0(%gid: index):
      %e = math.exp %v : tensor<8x64xf32>
      ktdp.yield_partial %v, %e : tensor<8x64xf32>, tensor<8x64xf32>
    }
    %m:2 = ktdp.inter_tile_reduce(%f) consumer_tiles_per_group = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)>, identity(%low, %z : tensor<8x64xf32>, tensor<8x64xf32>) : <(tensor<8x64xf32>, tensor<8x64xf32>), groups = affine_set<(g) : (g >= 0, -g + 1 >= 0)>> -> tensor<8x64xf32>, tensor<8x64xf32> {
    ^bb0(%a: tensor<8x64xf32>, %b: tensor<8x64xf32>, %c: tensor<8x64xf32>, %d: tensor<8x64xf32>):
      %p = arith.maximumf %a, %c : tensor<8x64xf32>
      %q = arith.subf %b, %p : tensor<8x64xf32>
      %r = arith.addf %q, %d : tensor<8x64xf32>
      ktdp.yield_reduced %p, %r : tensor<8x64xf32>, tensor<8x64xf32>
    }
    %o = arith.mulf %m#0, %m#1 : tensor<8x64xf32>
    %yv = ktdp.construct_memory_view %y, sizes: [32, 64], strides: [64, 1] {
      coordinate_set = affine_set<(a, b) : (a - 0 >= 0, -a + 31 >= 0, b - 0 >= 0, -b + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<32x64xf32>
    %yt = ktdp.construct_access_tile %yv[%me * 8, 0] {access_tile_set = affine_set<(a, b) : (a - 0 >= 0, -a + 7 >= 0, b - 0 >= 0, -b + 63 >= 0)>, access_tile_order = affine_map<(a, b) -> (a, b)>}
      : memref<32x64xf32> -> !ktdp.access_tile<8x64xindex>
    ktdp.store %o, %yt : tensor<8x64xf32>, <8x64xindex>
    return
  }
}
