// Mean and mean of squares in one generic with two results.
module {
  func.func @mean_square_pair(%x: index, %mean: index, %square: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [32, 128], strides: [128, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 31 >= 0, j >= 0, -j + 127 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32x128xf32>
    %t1 = ktdp.construct_access_tile %xv[%me * 8, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 127 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<32x128xf32> -> !ktdp.access_tile<8x128xindex>
    %d2 = ktdp.load %t1 : <8x128xindex> -> tensor<8x128xf32>
    %v3 = arith.constant dense<0.0> : tensor<8xf32>
    %v4:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%d2 : tensor<8x128xf32>) outs(%v3, %v3 : tensor<8xf32>, tensor<8xf32>) {
    ^bb0(%a: f32, %o: f32, %q: f32):
      %s = arith.mulf %a, %a : f32
      %t = arith.addf %o, %a : f32
      %u = arith.addf %q, %s : f32
      linalg.yield %t, %u : f32, f32
    } -> (tensor<8xf32>, tensor<8xf32>)
    %meanv = ktdp.construct_memory_view %mean, sizes: [32], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 31 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32xf32>
    %t5 = ktdp.construct_access_tile %meanv[%me * 8] {
      access_tile_set = affine_set<(i) : (i >= 0, -i + 7 >= 0)>,
      access_tile_order = affine_map<(i) -> (i)>
    } : memref<32xf32> -> !ktdp.access_tile<8xindex>
    ktdp.store %v4#0, %t5 : tensor<8xf32>, <8xindex>
    %squarev = ktdp.construct_memory_view %square, sizes: [32], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 31 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32xf32>
    %t6 = ktdp.construct_access_tile %squarev[%me * 8] {
      access_tile_set = affine_set<(i) : (i >= 0, -i + 7 >= 0)>,
      access_tile_order = affine_map<(i) -> (i)>
    } : memref<32xf32> -> !ktdp.access_tile<8xindex>
    ktdp.store %v4#1, %t6 : tensor<8xf32>, <8xindex>
    return
  }
}
