// Grouped heads (two query heads a key head), bf16, heads in the middle dimension, online softmax.
module {
  func.func @flash_grouped_heads(%q: index, %k: index, %v: index, %o: index) attributes {grid = [2, 4]} {
    %c16 = arith.constant 16 : index
    %c2 = arith.constant 2 : index
    %cst2 = arith.constant dense<0xFF800000> : tensor<16xf32>
    %cst3 = arith.constant dense<0.000000e+00> : tensor<16xf32>
    %cst4 = arith.constant dense<0.000000e+00> : tensor<16x64xf32>
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %cst7 = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
    %cst8 = arith.constant dense<1.250000e-01> : tensor<16x16xf32>
    %pid1:2 = ktdp.get_compute_tile_id : index, index
    %q_v2 = ktdp.construct_memory_view %q, sizes: [32, 4, 64], strides: [256, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 3 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<32x4x64xbf16>
    %k_v3 = ktdp.construct_memory_view %k, sizes: [32, 2, 64], strides: [128, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 1 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<32x2x64xbf16>
    %v_v4 = ktdp.construct_memory_view %v, sizes: [32, 2, 64], strides: [128, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 1 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<32x2x64xbf16>
    %o_v5 = ktdp.construct_memory_view %o, sizes: [32, 4, 64], strides: [256, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 3 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<32x4x64xbf16>
    %s6 = arith.muli %pid1#0, %c16 : index
    %s7 = arith.divsi %pid1#1, %c2 : index
    %t8 = ktdp.construct_access_tile %q_v2[%s6, %pid1#1, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 0 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<32x4x64xbf16> -> !ktdp.access_tile<16x1x64xindex>
    %x9 = ktdp.load %t8 : !ktdp.access_tile<16x1x64xindex> -> tensor<16x1x64xbf16>
    %c10 = tensor.collapse_shape %x9 [[0, 1], [2]] : tensor<16x1x64xbf16> into tensor<16x64xbf16>
    %for12:3 = scf.for %iv11 = %c0 to %c32 step %c16 iter_args(%it13 = %cst2, %it14 = %cst3, %it15 = %cst4) -> (tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>) {
      %t16 = ktdp.construct_access_tile %k_v3[%iv11, %s7, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 0 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d2, d1, d0)>} : memref<32x2x64xbf16> -> !ktdp.access_tile<64x1x16xindex>
      %x17 = ktdp.load %t16 : !ktdp.access_tile<64x1x16xindex> -> tensor<64x1x16xbf16>
      %c18 = tensor.collapse_shape %x17 [[0, 1], [2]] : tensor<64x1x16xbf16> into tensor<64x16xbf16>
      %t19 = ktdp.construct_access_tile %v_v4[%iv11, %s7, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 0 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<32x2x64xbf16> -> !ktdp.access_tile<16x1x64xindex>
      %x20 = ktdp.load %t19 : !ktdp.access_tile<16x1x64xindex> -> tensor<16x1x64xbf16>
      %c21 = tensor.collapse_shape %x20 [[0, 1], [2]] : tensor<16x1x64xbf16> into tensor<16x64xbf16>
      %d22 = linalg.matmul ins(%c10, %c18 : tensor<16x64xbf16>, tensor<64x16xbf16>) outs(%cst7 : tensor<16x16xf32>) -> tensor<16x16xf32>
      %e23 = arith.mulf %d22, %cst8 : tensor<16x16xf32>
      %r24 = linalg.reduce { arith.maximumf } ins(%e23 : tensor<16x16xf32>) outs(%cst2 : tensor<16xf32>) dimensions = [1]
      %e25 = arith.maximumf %it13, %r24 : tensor<16xf32>
      %em26 = tensor.empty() : tensor<16x16xf32>
      %b27 = linalg.broadcast ins(%e25 : tensor<16xf32>) outs(%em26 : tensor<16x16xf32>) dimensions = [1]
      %e28 = arith.subf %e23, %b27 : tensor<16x16xf32>
      %e29 = math.exp %e28 : tensor<16x16xf32>
      %e30 = arith.subf %it13, %e25 : tensor<16xf32>
      %e31 = math.exp %e30 : tensor<16xf32>
      %r32 = linalg.reduce { arith.addf } ins(%e29 : tensor<16x16xf32>) outs(%cst3 : tensor<16xf32>) dimensions = [1]
      %e33 = arith.mulf %it14, %e31 : tensor<16xf32>
      %e34 = arith.addf %e33, %r32 : tensor<16xf32>
      %em35 = tensor.empty() : tensor<16x64xf32>
      %b36 = linalg.broadcast ins(%e31 : tensor<16xf32>) outs(%em35 : tensor<16x64xf32>) dimensions = [1]
      %e37 = arith.mulf %it15, %b36 : tensor<16x64xf32>
      %e38 = arith.truncf %e29 : tensor<16x16xf32> to tensor<16x16xbf16>
      %d39 = linalg.matmul ins(%e38, %c21 : tensor<16x16xbf16>, tensor<16x64xbf16>) outs(%cst4 : tensor<16x64xf32>) -> tensor<16x64xf32>
      %e40 = arith.addf %e37, %d39 : tensor<16x64xf32>
      scf.yield %e25, %e34, %e40 : tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>
    }
    %em41 = tensor.empty() : tensor<16x64xf32>
    %b42 = linalg.broadcast ins(%for12#1 : tensor<16xf32>) outs(%em41 : tensor<16x64xf32>) dimensions = [1]
    %e43 = arith.divf %for12#2, %b42 : tensor<16x64xf32>
    %e44 = arith.truncf %e43 : tensor<16x64xf32> to tensor<16x64xbf16>
    %x45 = tensor.expand_shape %e44 [[0, 1], [2]] output_shape [16, 1, 64] : tensor<16x64xbf16> into tensor<16x1x64xbf16>
    %t46 = ktdp.construct_access_tile %o_v5[%s6, %pid1#1, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 0 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<32x4x64xbf16> -> !ktdp.access_tile<16x1x64xindex>
    ktdp.store %x45, %t46 : tensor<16x1x64xbf16>, !ktdp.access_tile<16x1x64xindex>
    return
  }
}
