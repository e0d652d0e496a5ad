// Position of the row maximum found in two steps: the maximum, then the smallest index that holds it.
module {
  func.func @argmax_two_steps(%x: index, %where: index) attributes {grid = [4]} {
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
    %v3 = arith.constant dense<0xFF800000> : tensor<8xf32>
    %v4 = linalg.reduce { arith.maximumf } ins(%d2 : tensor<8x128xf32>) outs(%v3 : tensor<8xf32>) dimensions = [1]
    %v5 = arith.constant dense<2147483647> : tensor<8xi32>
    %c6 = arith.constant 2147483647 : i32
    %v7 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%d2, %v4 : tensor<8x128xf32>, tensor<8xf32>) outs(%v5 : tensor<8xi32>) {
    ^bb0(%v: f32, %best: f32, %at: i32):
      %j = linalg.index 1 : index
      %ji = arith.index_cast %j : index to i32
      %c = arith.cmpf oeq, %v, %best : f32
      %na = arith.select %c, %ji, %c6 : i32
      %n = arith.minsi %at, %na : i32
      linalg.yield %n : i32
    } -> tensor<8xi32>
    %wherev = ktdp.construct_memory_view %where, sizes: [32], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 31 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32xi32>
    %t8 = ktdp.construct_access_tile %wherev[%me * 8] {
      access_tile_set = affine_set<(i) : (i >= 0, -i + 7 >= 0)>,
      access_tile_order = affine_map<(i) -> (i)>
    } : memref<32xi32> -> !ktdp.access_tile<8xindex>
    ktdp.store %v7, %t8 : tensor<8xi32>, <8xindex>
    return
  }
}
