// Pooling: windows of 2x2 through a reshape and a reduction over two dimensions.
module {
  func.func @pool_2x2(%x: index, %out: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [16, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<16x64xf32>
    %t1 = ktdp.construct_access_tile %xv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<16x64xf32> -> !ktdp.access_tile<4x64xindex>
    %d2 = ktdp.load %t1 : <4x64xindex> -> tensor<4x64xf32>
    %v3 = tensor.expand_shape %d2 [[0, 1], [2, 3]] output_shape [2, 2, 32, 2] : tensor<4x64xf32> into tensor<2x2x32x2xf32>
    %v4 = arith.constant dense<0xFF800000> : tensor<2x32xf32>
    %v5 = linalg.reduce { arith.maximumf } ins(%v3 : tensor<2x2x32x2xf32>) outs(%v4 : tensor<2x32xf32>) dimensions = [1, 3]
    %outv = ktdp.construct_memory_view %out, sizes: [8, 32], strides: [32, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 31 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<8x32xf32>
    %t6 = ktdp.construct_access_tile %outv[%me * 2, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 31 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<8x32xf32> -> !ktdp.access_tile<2x32xindex>
    ktdp.store %v5, %t6 : tensor<2x32xf32>, <2x32xindex>
    return
  }
}
