// Group norm style: a row of 256 is four groups of 64; the group mean is subtracted, then stored as a row.
module {
  func.func @group_center(%x: index, %out: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [16, 256], strides: [256, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 255 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<16x256xf32>
    %t1 = ktdp.construct_access_tile %xv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 255 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<16x256xf32> -> !ktdp.access_tile<4x256xindex>
    %d2 = ktdp.load %t1 : <4x256xindex> -> tensor<4x256xf32>
    %v3 = tensor.expand_shape %d2 [[0], [1, 2]] output_shape [4, 4, 64] : tensor<4x256xf32> into tensor<4x4x64xf32>
    %v4 = arith.constant dense<0.0> : tensor<4x4xf32>
    %v5 = linalg.reduce { arith.addf } ins(%v3 : tensor<4x4x64xf32>) outs(%v4 : tensor<4x4xf32>) dimensions = [2]
    %v6 = arith.constant dense<64.0> : tensor<4x4xf32>
    %v7 = arith.divf %v5, %v6 : tensor<4x4xf32>
    %v8 = tensor.empty() : tensor<4x4x64xf32>
    %v9 = linalg.broadcast ins(%v7 : tensor<4x4xf32>) outs(%v8 : tensor<4x4x64xf32>) dimensions = [2]
    %v10 = arith.subf %v3, %v9 : tensor<4x4x64xf32>
    %v11 = tensor.collapse_shape %v10 [[0], [1, 2]] : tensor<4x4x64xf32> into tensor<4x256xf32>
    %outv = ktdp.construct_memory_view %out, sizes: [16, 256], strides: [256, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 255 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<16x256xf32>
    %t12 = ktdp.construct_access_tile %outv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 255 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<16x256xf32> -> !ktdp.access_tile<4x256xindex>
    ktdp.store %v11, %t12 : tensor<4x256xf32>, <4x256xindex>
    return
  }
}
