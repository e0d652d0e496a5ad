// Qwen3: RMS norm of every query head and half-split rotary in place in the packed qkv row, one head an iteration
module {
  func.func @qk_norm_rope_in_place(%qkv: index, %wq: index, %cos: index, %sin: index) attributes {grid = [2]} {
    %cst_0 = arith.constant dense<[1, 16]> : tensor<2xindex>
    %cst_1 = arith.constant 0 : index
    %cst_2 = arith.constant 2 : index
    %cst_3 = arith.constant 1 : index
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<1xf32>
    %cst_5 = arith.constant dense<6.250000e-02> : tensor<1xf32>
    %cst_6 = arith.constant dense<1.000000e-06> : tensor<1xf32>
    %cst_7 = arith.constant dense<[1, 1, 16]> : tensor<3xindex>
    %1 = ktdp.get_compute_tile_id : index
    %2 = ktdp.construct_memory_view %qkv, sizes: [2, 3, 16], strides: [48, 16, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 2 >= 0, d2 >= 0, -d2 + 15 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x3x16xbf16>
    %3 = ktdp.construct_memory_view %wq, sizes: [16], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 15 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<16xbf16>
    %4 = ktdp.construct_memory_view %cos, sizes: [2, 8], strides: [8, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 7 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x8xf32>
    %5 = ktdp.construct_memory_view %sin, sizes: [2, 8], strides: [8, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 7 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x8xf32>
    %6 = ktdp.construct_access_tile %3[0] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 15 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<16xbf16> -> !ktdp.access_tile<16xindex>
    %7 = ktdp.load %6 : !ktdp.access_tile<16xindex> -> tensor<16xbf16>
    %8 = arith.extf %7 : tensor<16xbf16> to tensor<16xf32>
    %9 = tensor.reshape %8(%cst_0) : (tensor<16xf32>, tensor<2xindex>) -> tensor<1x16xf32>
    %10 = ktdp.construct_access_tile %4[%1, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 7 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<2x8xf32> -> !ktdp.access_tile<1x8xindex>
    %11 = ktdp.load %10 : !ktdp.access_tile<1x8xindex> -> tensor<1x8xf32>
    %12 = ktdp.construct_access_tile %5[%1, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 7 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<2x8xf32> -> !ktdp.access_tile<1x8xindex>
    %13 = ktdp.load %12 : !ktdp.access_tile<1x8xindex> -> tensor<1x8xf32>
    scf.for %i14 = %cst_1 to %cst_2 step %cst_3 {
      %15 = ktdp.construct_access_tile %2[%1, %i14, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 0 >= 0, d2 >= 0, -d2 + 15 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<2x3x16xbf16> -> !ktdp.access_tile<1x1x16xindex>
      %16 = ktdp.load %15 : !ktdp.access_tile<1x1x16xindex> -> tensor<1x1x16xbf16>
      %17 = tensor.reshape %16(%cst_0) : (tensor<1x1x16xbf16>, tensor<2xindex>) -> tensor<1x16xbf16>
      %18 = arith.extf %17 : tensor<1x16xbf16> to tensor<1x16xf32>
      %19 = arith.mulf %18, %18 : tensor<1x16xf32>
      %20 = linalg.reduce { arith.addf } ins(%19 : tensor<1x16xf32>) outs(%cst_4 : tensor<1xf32>) dimensions = [1]
      %21 = arith.mulf %20, %cst_5 : tensor<1xf32>
      %22 = arith.addf %21, %cst_6 : tensor<1xf32>
      %23 = math.rsqrt %22 : tensor<1xf32>
      %24 = tensor.empty() : tensor<1x16xf32>
      %25 = linalg.broadcast ins(%23 : tensor<1xf32>) outs(%24 : tensor<1x16xf32>) dimensions = [1]
      %26 = arith.mulf %18, %25 : tensor<1x16xf32>
      %27 = arith.mulf %26, %9 : tensor<1x16xf32>
      %28 = tensor.extract_slice %27[0, 0] [1, 8] [1, 1] : tensor<1x16xf32> to tensor<1x8xf32>
      %29 = tensor.extract_slice %27[0, 8] [1, 8] [1, 1] : tensor<1x16xf32> to tensor<1x8xf32>
      %30 = tensor.empty() : tensor<1x16xf32>
      %31 = arith.mulf %29, %11 : tensor<1x8xf32>
      %32 = arith.mulf %28, %13 : tensor<1x8xf32>
      %33 = arith.addf %31, %32 : tensor<1x8xf32>
      %34 = arith.mulf %28, %11 : tensor<1x8xf32>
      %35 = arith.mulf %29, %13 : tensor<1x8xf32>
      %36 = arith.subf %34, %35 : tensor<1x8xf32>
      %37 = tensor.insert_slice %36 into %30[0, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<1x16xf32>
      %38 = tensor.insert_slice %33 into %37[0, 8] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<1x16xf32>
      %39 = arith.truncf %38 : tensor<1x16xf32> to tensor<1x16xbf16>
      %40 = tensor.reshape %39(%cst_7) : (tensor<1x16xbf16>, tensor<3xindex>) -> tensor<1x1x16xbf16>
      %41 = ktdp.construct_access_tile %2[%1, %i14, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 0 >= 0, d2 >= 0, -d2 + 15 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<2x3x16xbf16> -> !ktdp.access_tile<1x1x16xindex>
      ktdp.store %40, %41 : tensor<1x1x16xbf16>, !ktdp.access_tile<1x1x16xindex>
    }
    return
  }
}
