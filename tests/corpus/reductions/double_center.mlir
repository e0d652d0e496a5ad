// Both centred: row mean and column mean subtracted from one tile.
module {
  func.func @double_center(%x: index, %out: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [64, 32], strides: [32, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 63 >= 0, j >= 0, -j + 31 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<64x32xf32>
    %t1 = ktdp.construct_access_tile %xv[%me * 16, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 31 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<64x32xf32> -> !ktdp.access_tile<16x32xindex>
    %d2 = ktdp.load %t1 : <16x32xindex> -> tensor<16x32xf32>
    %v3 = arith.constant dense<0.0> : tensor<16xf32>
    %v4 = arith.constant dense<0.0> : tensor<32xf32>
    %v5 = linalg.reduce { arith.addf } ins(%d2 : tensor<16x32xf32>) outs(%v3 : tensor<16xf32>) dimensions = [1]
    %v6 = linalg.reduce { arith.addf } ins(%d2 : tensor<16x32xf32>) outs(%v4 : tensor<32xf32>) dimensions = [0]
    %v7 = tensor.empty() : tensor<16x32xf32>
    %v8 = linalg.broadcast ins(%v5 : tensor<16xf32>) outs(%v7 : tensor<16x32xf32>) dimensions = [1]
    %v9 = linalg.broadcast ins(%v6 : tensor<32xf32>) outs(%v7 : tensor<16x32xf32>) dimensions = [0]
    %v10 = arith.subf %d2, %v8 : tensor<16x32xf32>
    %v11 = arith.subf %v10, %v9 : tensor<16x32xf32>
    %outv = ktdp.construct_memory_view %out, sizes: [64, 32], strides: [32, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 63 >= 0, j >= 0, -j + 31 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<64x32xf32>
    %t12 = ktdp.construct_access_tile %outv[%me * 16, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 31 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<64x32xf32> -> !ktdp.access_tile<16x32xindex>
    ktdp.store %v11, %t12 : tensor<16x32xf32>, <16x32xindex>
    return
  }
}
