// Merged and split across the reduction: row sums of a collapsed tensor.
module {
  func.func @collapse_then_sum(%x: index, %out: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [16, 4, 32], strides: [128, 32, 1] {
      coordinate_set = affine_set<(i, j, k) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 3 >= 0, k >= 0, -k + 31 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<16x4x32xf32>
    %t1 = ktdp.construct_access_tile %xv[%me * 4, 0, 0] {
      access_tile_set = affine_set<(i, j, k) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 3 >= 0, k >= 0, -k + 31 >= 0)>,
      access_tile_order = affine_map<(i, j, k) -> (i, j, k)>
    } : memref<16x4x32xf32> -> !ktdp.access_tile<4x4x32xindex>
    %d2 = ktdp.load %t1 : <4x4x32xindex> -> tensor<4x4x32xf32>
    %v3 = tensor.collapse_shape %d2 [[0], [1, 2]] : tensor<4x4x32xf32> into tensor<4x128xf32>
    %v4 = arith.constant dense<0.0> : tensor<4xf32>
    %v5 = linalg.reduce { arith.addf } ins(%v3 : tensor<4x128xf32>) outs(%v4 : tensor<4xf32>) dimensions = [1]
    %outv = ktdp.construct_memory_view %out, sizes: [16], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 15 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<16xf32>
    %t6 = ktdp.construct_access_tile %outv[%me * 4] {
      access_tile_set = affine_set<(i) : (i >= 0, -i + 3 >= 0)>,
      access_tile_order = affine_map<(i) -> (i)>
    } : memref<16xf32> -> !ktdp.access_tile<4xindex>
    ktdp.store %v5, %t6 : tensor<4xf32>, <4xindex>
    return
  }
}
