// xformers rms_norm with gain, then rotary pairs in one kernel
module {
  func.func @rmsnorm_rope_pairs(%x: index, %w: index, %cs: index, %y: index) attributes {grid = [4]} {
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<1x2xf32>
    %cst_1 = arith.constant dense<1.562500e-02> : tensor<1x2xf32>
    %cst_2 = arith.constant dense<1.000000e-06> : tensor<1x2xf32>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<1x2x32x2xf32>
    %1 = ktdp.get_compute_tile_id : index
    %2 = ktdp.construct_memory_view %x, sizes: [4, 2, 64], strides: [128, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 1 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x2x64xbf16>
    %3 = ktdp.construct_memory_view %w, sizes: [64], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<64xbf16>
    %4 = ktdp.construct_memory_view %cs, sizes: [4, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x64xf32>
    %5 = ktdp.construct_memory_view %y, sizes: [4, 2, 64], strides: [128, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 1 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x2x64xbf16>
    %6 = ktdp.construct_access_tile %2[%1, 0, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 1 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<4x2x64xbf16> -> !ktdp.access_tile<1x2x64xindex>
    %7 = ktdp.load %6 : !ktdp.access_tile<1x2x64xindex> -> tensor<1x2x64xbf16>
    %8 = arith.extf %7 : tensor<1x2x64xbf16> to tensor<1x2x64xf32>
    %9 = arith.mulf %8, %8 : tensor<1x2x64xf32>
    %10 = linalg.reduce { arith.addf } ins(%9 : tensor<1x2x64xf32>) outs(%cst_0 : tensor<1x2xf32>) dimensions = [2]
    %11 = arith.mulf %10, %cst_1 : tensor<1x2xf32>
    %12 = arith.addf %11, %cst_2 : tensor<1x2xf32>
    %13 = math.rsqrt %12 : tensor<1x2xf32>
    %14 = tensor.empty() : tensor<1x2x64xf32>
    %15 = linalg.broadcast ins(%13 : tensor<1x2xf32>) outs(%14 : tensor<1x2x64xf32>) dimensions = [2]
    %16 = arith.mulf %8, %15 : tensor<1x2x64xf32>
    %17 = ktdp.construct_access_tile %3[0] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 63 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<64xbf16> -> !ktdp.access_tile<64xindex>
    %18 = ktdp.load %17 : !ktdp.access_tile<64xindex> -> tensor<64xbf16>
    %19 = arith.extf %18 : tensor<64xbf16> to tensor<64xf32>
    %20 = tensor.empty() : tensor<1x2x64xf32>
    %21 = linalg.broadcast ins(%19 : tensor<64xf32>) outs(%20 : tensor<1x2x64xf32>) dimensions = [0, 1]
    %22 = arith.mulf %16, %21 : tensor<1x2x64xf32>
    %23 = tensor.expand_shape %22 [[0], [1], [2, 3]] output_shape [1, 2, 32, 2] : tensor<1x2x64xf32> into tensor<1x2x32x2xf32>
    %24 = ktdp.construct_access_tile %4[%1, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<4x64xf32> -> !ktdp.access_tile<1x64xindex>
    %25 = ktdp.load %24 : !ktdp.access_tile<1x64xindex> -> tensor<1x64xf32>
    %26 = tensor.expand_shape %25 [[0], [1, 2]] output_shape [1, 32, 2] : tensor<1x64xf32> into tensor<1x32x2xf32>
    %27 = tensor.extract_slice %23[0, 0, 0, 0] [1, 2, 32, 1] [1, 1, 1, 1] : tensor<1x2x32x2xf32> to tensor<1x2x32xf32>
    %28 = tensor.extract_slice %23[0, 0, 0, 1] [1, 2, 32, 1] [1, 1, 1, 1] : tensor<1x2x32x2xf32> to tensor<1x2x32xf32>
    %29 = tensor.extract_slice %26[0, 0, 0] [1, 32, 1] [1, 1, 1] : tensor<1x32x2xf32> to tensor<1x32xf32>
    %30 = tensor.empty() : tensor<1x2x32xf32>
    %31 = linalg.broadcast ins(%29 : tensor<1x32xf32>) outs(%30 : tensor<1x2x32xf32>) dimensions = [1]
    %32 = tensor.extract_slice %26[0, 0, 1] [1, 32, 1] [1, 1, 1] : tensor<1x32x2xf32> to tensor<1x32xf32>
    %33 = tensor.empty() : tensor<1x2x32xf32>
    %34 = linalg.broadcast ins(%32 : tensor<1x32xf32>) outs(%33 : tensor<1x2x32xf32>) dimensions = [1]
    %35 = arith.mulf %27, %31 : tensor<1x2x32xf32>
    %36 = arith.mulf %28, %34 : tensor<1x2x32xf32>
    %37 = arith.subf %35, %36 : tensor<1x2x32xf32>
    %38 = arith.mulf %27, %34 : tensor<1x2x32xf32>
    %39 = arith.mulf %28, %31 : tensor<1x2x32xf32>
    %40 = arith.addf %38, %39 : tensor<1x2x32xf32>
    %41 = tensor.expand_shape %37 [[0], [1], [2, 3]] output_shape [1, 2, 32, 1] : tensor<1x2x32xf32> into tensor<1x2x32x1xf32>
    %42 = tensor.insert_slice %41 into %cst_3[0, 0, 0, 0] [1, 2, 32, 1] [1, 1, 1, 1] : tensor<1x2x32x1xf32> into tensor<1x2x32x2xf32>
    %43 = tensor.expand_shape %40 [[0], [1], [2, 3]] output_shape [1, 2, 32, 1] : tensor<1x2x32xf32> into tensor<1x2x32x1xf32>
    %44 = tensor.insert_slice %43 into %42[0, 0, 0, 1] [1, 2, 32, 1] [1, 1, 1, 1] : tensor<1x2x32x1xf32> into tensor<1x2x32x2xf32>
    %45 = tensor.collapse_shape %44 [[0], [1], [2, 3]] : tensor<1x2x32x2xf32> into tensor<1x2x64xf32>
    %46 = arith.truncf %45 : tensor<1x2x64xf32> to tensor<1x2x64xbf16>
    %47 = ktdp.construct_access_tile %5[%1, 0, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 1 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<4x2x64xbf16> -> !ktdp.access_tile<1x2x64xindex>
    ktdp.store %46, %47 : tensor<1x2x64xbf16>, !ktdp.access_tile<1x2x64xindex>
    return
  }
}
