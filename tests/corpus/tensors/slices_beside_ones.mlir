// Slices of lower rank whose first dimension of extent one stays: columns taken out and put back in pairs
module {
  func.func @slices_beside_ones(%cs: index, %y: index, %z: index) attributes {grid = [2]} {
    %1 = ktdp.get_compute_tile_id : index
    %2 = ktdp.construct_memory_view %cs, sizes: [2, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x64xf32>
    %3 = ktdp.construct_memory_view %y, sizes: [2, 3, 64], strides: [192, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 2 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x3x64xf32>
    %4 = ktdp.construct_access_tile %2[%1, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<2x64xf32> -> !ktdp.access_tile<1x64xindex>
    %5 = ktdp.load %4 : !ktdp.access_tile<1x64xindex> -> tensor<1x64xf32>
    %6 = tensor.expand_shape %5 [[0], [1, 2]] output_shape [1, 32, 2] : tensor<1x64xf32> into tensor<1x32x2xf32>
    %7 = tensor.extract_slice %6[0, 0, 0] [1, 32, 1] [1, 1, 1] : tensor<1x32x2xf32> to tensor<1x32xf32>
    %8 = tensor.extract_slice %6[0, 0, 1] [1, 32, 1] [1, 1, 1] : tensor<1x32x2xf32> to tensor<1x32xf32>
    %9 = arith.subf %8, %7 : tensor<1x32xf32>
    %10 = tensor.insert_slice %9 into %6[0, 0, 0] [1, 32, 1] [1, 1, 1] : tensor<1x32xf32> into tensor<1x32x2xf32>
    %11 = arith.mulf %8, %7 : tensor<1x32xf32>
    %12 = tensor.insert_slice %11 into %10[0, 0, 1] [1, 32, 1] [1, 1, 1] : tensor<1x32xf32> into tensor<1x32x2xf32>
    %13 = tensor.collapse_shape %12 [[0], [1, 2]] : tensor<1x32x2xf32> into tensor<1x64xf32>
    %14 = tensor.empty() : tensor<1x3x64xf32>
    %15 = linalg.broadcast ins(%13 : tensor<1x64xf32>) outs(%14 : tensor<1x3x64xf32>) dimensions = [1]
    %16 = ktdp.construct_access_tile %3[%1, 0, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 2 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<2x3x64xf32> -> !ktdp.access_tile<1x3x64xindex>
    ktdp.store %15, %16 : tensor<1x3x64xf32>, !ktdp.access_tile<1x3x64xindex>
    %17 = ktdp.construct_memory_view %z, sizes: [2, 3, 32], strides: [96, 32, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 2 >= 0, d2 >= 0, -d2 + 31 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x3x32xf32>
    %18 = tensor.empty() : tensor<1x3x32xf32>
    %19 = linalg.broadcast ins(%7 : tensor<1x32xf32>) outs(%18 : tensor<1x3x32xf32>) dimensions = [1]
    %20 = tensor.empty() : tensor<1x3x32xf32>
    %21 = linalg.broadcast ins(%8 : tensor<1x32xf32>) outs(%20 : tensor<1x3x32xf32>) dimensions = [1]
    %22 = arith.mulf %19, %21 : tensor<1x3x32xf32>
    %23 = ktdp.construct_access_tile %17[%1, 0, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 2 >= 0, d2 >= 0, -d2 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<2x3x32xf32> -> !ktdp.access_tile<1x3x32xindex>
    ktdp.store %22, %23 : tensor<1x3x32xf32>, !ktdp.access_tile<1x3x32xindex>
    return
  }
}
