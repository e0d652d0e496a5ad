// Row minimum and where it is; equal values keep the first.
module {
  func.func @argmin_rows(%x: index, %value: index, %where: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [32, 100], strides: [100, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 31 >= 0, j >= 0, -j + 99 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32x100xf32>
    %t1 = ktdp.construct_access_tile %xv[%me * 8, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 99 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<32x100xf32> -> !ktdp.access_tile<8x100xindex>
    %d2 = ktdp.load %t1 : <8x100xindex> -> tensor<8x100xf32>
    %v3 = arith.constant dense<0x7F800000> : tensor<8xf32>
    %v4 = arith.constant dense<0> : tensor<8xi32>
    %v5:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%d2 : tensor<8x100xf32>) outs(%v3, %v4 : tensor<8xf32>, tensor<8xi32>) {
    ^bb0(%v: f32, %best: f32, %at: i32):
      %j = linalg.index 1 : index
      %ji = arith.index_cast %j : index to i32
      %c = arith.cmpf olt, %v, %best : f32
      %nb = arith.select %c, %v, %best : f32
      %na = arith.select %c, %ji, %at : i32
      linalg.yield %nb, %na : f32, i32
    } -> (tensor<8xf32>, tensor<8xi32>)
    %valuev = ktdp.construct_memory_view %value, sizes: [32], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 31 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32xf32>
    %t6 = ktdp.construct_access_tile %valuev[%me * 8] {
      access_tile_set = affine_set<(i) : (i >= 0, -i + 7 >= 0)>,
      access_tile_order = affine_map<(i) -> (i)>
    } : memref<32xf32> -> !ktdp.access_tile<8xindex>
    ktdp.store %v5#0, %t6 : tensor<8xf32>, <8xindex>
    %wherev = ktdp.construct_memory_view %where, sizes: [32], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 31 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32xi32>
    %t7 = ktdp.construct_access_tile %wherev[%me * 8] {
      access_tile_set = affine_set<(i) : (i >= 0, -i + 7 >= 0)>,
      access_tile_order = affine_map<(i) -> (i)>
    } : memref<32xi32> -> !ktdp.access_tile<8xindex>
    ktdp.store %v5#1, %t7 : tensor<8xi32>, <8xindex>
    return
  }
}
