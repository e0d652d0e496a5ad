// Attention with the online softmax, one head a grid column: running maximum, sum and accumulator.
module {
  func.func @flash_online(%q: index, %k: index, %v: index, %o: index) attributes {grid = [2, 2]} {
    %c32 = arith.constant 32 : index
    %cst1 = arith.constant dense<0xFF800000> : tensor<32xf32>
    %cst2 = arith.constant dense<0.000000e+00> : tensor<32xf32>
    %cst3 = arith.constant dense<0.000000e+00> : tensor<32x64xf32>
    %c64 = arith.constant 64 : index
    %c0 = arith.constant 0 : index
    %cst6 = arith.constant dense<0.000000e+00> : tensor<32x32xf32>
    %cst7 = arith.constant dense<1.250000e-01> : tensor<32x32xf32>
    %pid1:2 = ktdp.get_compute_tile_id : index, index
    %q_v2 = ktdp.construct_memory_view %q, sizes: [2, 64, 64], strides: [4096, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 63 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x64x64xf16>
    %k_v3 = ktdp.construct_memory_view %k, sizes: [2, 64, 64], strides: [4096, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 63 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x64x64xf16>
    %v_v4 = ktdp.construct_memory_view %v, sizes: [2, 64, 64], strides: [4096, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 63 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x64x64xf16>
    %o_v5 = ktdp.construct_memory_view %o, sizes: [2, 64, 64], strides: [4096, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 63 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x64x64xf16>
    %s6 = arith.muli %pid1#0, %c32 : index
    %t7 = ktdp.construct_access_tile %q_v2[%pid1#1, %s6, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 31 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<2x64x64xf16> -> !ktdp.access_tile<1x32x64xindex>
    %x8 = ktdp.load %t7 : !ktdp.access_tile<1x32x64xindex> -> tensor<1x32x64xf16>
    %c9 = tensor.collapse_shape %x8 [[0, 1], [2]] : tensor<1x32x64xf16> into tensor<32x64xf16>
    %for11:3 = scf.for %iv10 = %c0 to %c64 step %c32 iter_args(%it12 = %cst1, %it13 = %cst2, %it14 = %cst3) -> (tensor<32xf32>, tensor<32xf32>, tensor<32x64xf32>) {
      %t15 = ktdp.construct_access_tile %k_v3[%pid1#1, %iv10, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 31 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d2, d1)>} : memref<2x64x64xf16> -> !ktdp.access_tile<1x64x32xindex>
      %x16 = ktdp.load %t15 : !ktdp.access_tile<1x64x32xindex> -> tensor<1x64x32xf16>
      %c17 = tensor.collapse_shape %x16 [[0, 1], [2]] : tensor<1x64x32xf16> into tensor<64x32xf16>
      %t18 = ktdp.construct_access_tile %v_v4[%pid1#1, %iv10, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 31 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<2x64x64xf16> -> !ktdp.access_tile<1x32x64xindex>
      %x19 = ktdp.load %t18 : !ktdp.access_tile<1x32x64xindex> -> tensor<1x32x64xf16>
      %c20 = tensor.collapse_shape %x19 [[0, 1], [2]] : tensor<1x32x64xf16> into tensor<32x64xf16>
      %d21 = linalg.matmul ins(%c9, %c17 : tensor<32x64xf16>, tensor<64x32xf16>) outs(%cst6 : tensor<32x32xf32>) -> tensor<32x32xf32>
      %e22 = arith.mulf %d21, %cst7 : tensor<32x32xf32>
      %r23 = linalg.reduce { arith.maximumf } ins(%e22 : tensor<32x32xf32>) outs(%cst1 : tensor<32xf32>) dimensions = [1]
      %e24 = arith.maximumf %it12, %r23 : tensor<32xf32>
      %em25 = tensor.empty() : tensor<32x32xf32>
      %b26 = linalg.broadcast ins(%e24 : tensor<32xf32>) outs(%em25 : tensor<32x32xf32>) dimensions = [1]
      %e27 = arith.subf %e22, %b26 : tensor<32x32xf32>
      %e28 = math.exp %e27 : tensor<32x32xf32>
      %e29 = arith.subf %it12, %e24 : tensor<32xf32>
      %e30 = math.exp %e29 : tensor<32xf32>
      %r31 = linalg.reduce { arith.addf } ins(%e28 : tensor<32x32xf32>) outs(%cst2 : tensor<32xf32>) dimensions = [1]
      %e32 = arith.mulf %it13, %e30 : tensor<32xf32>
      %e33 = arith.addf %e32, %r31 : tensor<32xf32>
      %em34 = tensor.empty() : tensor<32x64xf32>
      %b35 = linalg.broadcast ins(%e30 : tensor<32xf32>) outs(%em34 : tensor<32x64xf32>) dimensions = [1]
      %e36 = arith.mulf %it14, %b35 : tensor<32x64xf32>
      %e37 = arith.truncf %e28 : tensor<32x32xf32> to tensor<32x32xf16>
      %d38 = linalg.matmul ins(%e37, %c20 : tensor<32x32xf16>, tensor<32x64xf16>) outs(%cst3 : tensor<32x64xf32>) -> tensor<32x64xf32>
      %e39 = arith.addf %e36, %d38 : tensor<32x64xf32>
      scf.yield %e24, %e33, %e39 : tensor<32xf32>, tensor<32xf32>, tensor<32x64xf32>
    }
    %em40 = tensor.empty() : tensor<32x64xf32>
    %b41 = linalg.broadcast ins(%for11#1 : tensor<32xf32>) outs(%em40 : tensor<32x64xf32>) dimensions = [1]
    %e42 = arith.divf %for11#2, %b41 : tensor<32x64xf32>
    %e43 = arith.truncf %e42 : tensor<32x64xf32> to tensor<32x64xf16>
    %x44 = tensor.expand_shape %e43 [[0, 1], [2]] output_shape [1, 32, 64] : tensor<32x64xf16> into tensor<1x32x64xf16>
    %t45 = ktdp.construct_access_tile %o_v5[%pid1#1, %s6, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 31 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<2x64x64xf16> -> !ktdp.access_tile<1x32x64xindex>
    ktdp.store %x44, %t45 : tensor<1x32x64xf16>, !ktdp.access_tile<1x32x64xindex>
    return
  }
}
