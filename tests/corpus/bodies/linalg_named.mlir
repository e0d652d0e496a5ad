// Named linalg elementwise operations: sub, max, min, div, negf, abs, square, select.
module {
  func.func @linalg_named(%x: index, %y: index, %out: index) attributes {grid = [2]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [8, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<8x64xf32>
    %t1 = ktdp.construct_access_tile %xv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<8x64xf32> -> !ktdp.access_tile<4x64xindex>
    %d2 = ktdp.load %t1 : <4x64xindex> -> tensor<4x64xf32>
    %yv = ktdp.construct_memory_view %y, sizes: [8, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<8x64xf32>
    %t3 = ktdp.construct_access_tile %yv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<8x64xf32> -> !ktdp.access_tile<4x64xindex>
    %d4 = ktdp.load %t3 : <4x64xindex> -> tensor<4x64xf32>
    %v5 = tensor.empty() : tensor<4x64xf32>
    %v6 = linalg.sub ins(%d2, %d4 : tensor<4x64xf32>, tensor<4x64xf32>) outs(%v5 : tensor<4x64xf32>) -> tensor<4x64xf32>
    %v7 = linalg.max ins(%v6, %d4 : tensor<4x64xf32>, tensor<4x64xf32>) outs(%v5 : tensor<4x64xf32>) -> tensor<4x64xf32>
    %v8 = linalg.min ins(%v7, %d4 : tensor<4x64xf32>, tensor<4x64xf32>) outs(%v5 : tensor<4x64xf32>) -> tensor<4x64xf32>
    %v9 = linalg.mul ins(%v8, %d4 : tensor<4x64xf32>, tensor<4x64xf32>) outs(%v5 : tensor<4x64xf32>) -> tensor<4x64xf32>
    %v10 = linalg.add ins(%v9, %d4 : tensor<4x64xf32>, tensor<4x64xf32>) outs(%v5 : tensor<4x64xf32>) -> tensor<4x64xf32>
    %v11 = linalg.div ins(%v10, %d4 : tensor<4x64xf32>, tensor<4x64xf32>) outs(%v5 : tensor<4x64xf32>) -> tensor<4x64xf32>
    %v12 = linalg.negf ins(%v11 : tensor<4x64xf32>) outs(%v5 : tensor<4x64xf32>) -> tensor<4x64xf32>
    %v13 = linalg.abs ins(%v12 : tensor<4x64xf32>) outs(%v5 : tensor<4x64xf32>) -> tensor<4x64xf32>
    %v14 = linalg.square ins(%v13 : tensor<4x64xf32>) outs(%v5 : tensor<4x64xf32>) -> tensor<4x64xf32>
    %v15 = linalg.exp ins(%v14 : tensor<4x64xf32>) outs(%v5 : tensor<4x64xf32>) -> tensor<4x64xf32>
    %v16 = linalg.floor ins(%v15 : tensor<4x64xf32>) outs(%v5 : tensor<4x64xf32>) -> tensor<4x64xf32>
    %v17 = linalg.ceil ins(%v16 : tensor<4x64xf32>) outs(%v5 : tensor<4x64xf32>) -> tensor<4x64xf32>
    %v18 = linalg.tanh ins(%v17 : tensor<4x64xf32>) outs(%v5 : tensor<4x64xf32>) -> tensor<4x64xf32>
    %v19 = linalg.abs ins(%v18 : tensor<4x64xf32>) outs(%v5 : tensor<4x64xf32>) -> tensor<4x64xf32>
    %v20 = linalg.sqrt ins(%v19 : tensor<4x64xf32>) outs(%v5 : tensor<4x64xf32>) -> tensor<4x64xf32>
    %outv = ktdp.construct_memory_view %out, sizes: [8, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<8x64xf32>
    %t21 = ktdp.construct_access_tile %outv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<8x64xf32> -> !ktdp.access_tile<4x64xindex>
    ktdp.store %v20, %t21 : tensor<4x64xf32>, <4x64xindex>
    return
  }
}
