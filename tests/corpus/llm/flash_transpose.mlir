// Online softmax with a transpose of the keys and exp2.
module {
  func.func @flash_transpose(%q: index, %k: index, %v: index, %o: index) attributes {grid = [2, 1]} {
    %c32 = arith.constant 32 : index
    %cst1 = arith.constant dense<0xFF800000> : tensor<32xf32>
    %cst2 = arith.constant dense<0.000000e+00> : tensor<32xf32>
    %cst3 = arith.constant dense<0.000000e+00> : tensor<32x64xf32>
    %c64 = arith.constant 64 : index
    %c0 = arith.constant 0 : index
    %cst6 = arith.constant dense<0.000000e+00> : tensor<32x32xf32>
    %cst7 = arith.constant dense<1.250000e-01> : tensor<32x32xf32>
    %pid1:2 = ktdp.get_compute_tile_id : index, index
    %q_v2 = ktdp.construct_memory_view %q, sizes: [1, 64, 64], strides: [4096, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<1x64x64xf16>
    %k_v3 = ktdp.construct_memory_view %k, sizes: [1, 64, 64], strides: [4096, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<1x64x64xf16>
    %v_v4 = ktdp.construct_memory_view %v, sizes: [1, 64, 64], strides: [4096, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<1x64x64xf16>
    %o_v5 = ktdp.construct_memory_view %o, sizes: [1, 64, 64], strides: [4096, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<1x64x64xf16>
    %s6 = arith.muli %pid1#0, %c32 : index
    %t7 = ktdp.construct_access_tile %q_v2[%pid1#1, %s6, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 31 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<1x64x64xf16> -> !ktdp.access_tile<1x32x64xindex>
    %x8 = ktdp.load %t7 : !ktdp.access_tile<1x32x64xindex> -> tensor<1x32x64xf16>
    %c9 = tensor.collapse_shape %x8 [[0, 1], [2]] : tensor<1x32x64xf16> into tensor<32x64xf16>
    %for11:3 = scf.for %iv10 = %c0 to %c64 step %c32 iter_args(%it12 = %cst1, %it13 = %cst2, %it14 = %cst3) -> (tensor<32xf32>, tensor<32xf32>, tensor<32x64xf32>) {
      %t15 = ktdp.construct_access_tile %k_v3[%pid1#1, %iv10, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 31 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<1x64x64xf16> -> !ktdp.access_tile<1x32x64xindex>
      %x16 = ktdp.load %t15 : !ktdp.access_tile<1x32x64xindex> -> tensor<1x32x64xf16>
      %c17 = tensor.collapse_shape %x16 [[0, 1], [2]] : tensor<1x32x64xf16> into tensor<32x64xf16>
      %em18 = tensor.empty() : tensor<64x32xf16>
      %tr19 = linalg.transpose ins(%c17 : tensor<32x64xf16>) outs(%em18 : tensor<64x32xf16>) permutation = [1, 0]
      %t20 = ktdp.construct_access_tile %v_v4[%pid1#1, %iv10, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 31 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<1x64x64xf16> -> !ktdp.access_tile<1x32x64xindex>
      %x21 = ktdp.load %t20 : !ktdp.access_tile<1x32x64xindex> -> tensor<1x32x64xf16>
      %c22 = tensor.collapse_shape %x21 [[0, 1], [2]] : tensor<1x32x64xf16> into tensor<32x64xf16>
      %d23 = linalg.matmul ins(%c9, %tr19 : tensor<32x64xf16>, tensor<64x32xf16>) outs(%cst6 : tensor<32x32xf32>) -> tensor<32x32xf32>
      %e24 = arith.mulf %d23, %cst7 : tensor<32x32xf32>
      %r25 = linalg.reduce { arith.maximumf } ins(%e24 : tensor<32x32xf32>) outs(%cst1 : tensor<32xf32>) dimensions = [1]
      %e26 = arith.maximumf %it12, %r25 : tensor<32xf32>
      %em27 = tensor.empty() : tensor<32x32xf32>
      %b28 = linalg.broadcast ins(%e26 : tensor<32xf32>) outs(%em27 : tensor<32x32xf32>) dimensions = [1]
      %e29 = arith.subf %e24, %b28 : tensor<32x32xf32>
      %e30 = math.exp2 %e29 : tensor<32x32xf32>
      %e31 = arith.subf %it12, %e26 : tensor<32xf32>
      %e32 = math.exp2 %e31 : tensor<32xf32>
      %r33 = linalg.reduce { arith.addf } ins(%e30 : tensor<32x32xf32>) outs(%cst2 : tensor<32xf32>) dimensions = [1]
      %e34 = arith.mulf %it13, %e32 : tensor<32xf32>
      %e35 = arith.addf %e34, %r33 : tensor<32xf32>
      %em36 = tensor.empty() : tensor<32x64xf32>
      %b37 = linalg.broadcast ins(%e32 : tensor<32xf32>) outs(%em36 : tensor<32x64xf32>) dimensions = [1]
      %e38 = arith.mulf %it14, %b37 : tensor<32x64xf32>
      %e39 = arith.truncf %e30 : tensor<32x32xf32> to tensor<32x32xf16>
      %d40 = linalg.matmul ins(%e39, %c22 : tensor<32x32xf16>, tensor<32x64xf16>) outs(%cst3 : tensor<32x64xf32>) -> tensor<32x64xf32>
      %e41 = arith.addf %e38, %d40 : tensor<32x64xf32>
      scf.yield %e26, %e35, %e41 : tensor<32xf32>, tensor<32xf32>, tensor<32x64xf32>
    }
    %em42 = tensor.empty() : tensor<32x64xf32>
    %b43 = linalg.broadcast ins(%for11#1 : tensor<32xf32>) outs(%em42 : tensor<32x64xf32>) dimensions = [1]
    %e44 = arith.divf %for11#2, %b43 : tensor<32x64xf32>
    %e45 = arith.truncf %e44 : tensor<32x64xf32> to tensor<32x64xf16>
    %x46 = tensor.expand_shape %e45 [[0, 1], [2]] output_shape [1, 32, 64] : tensor<32x64xf16> into tensor<1x32x64xf16>
    %t47 = ktdp.construct_access_tile %o_v5[%pid1#1, %s6, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 31 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<1x64x64xf16> -> !ktdp.access_tile<1x32x64xindex>
    ktdp.store %x46, %t47 : tensor<1x32x64xf16>, !ktdp.access_tile<1x32x64xindex>
    return
  }
}
