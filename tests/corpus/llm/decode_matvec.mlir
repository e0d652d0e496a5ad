// Decode of one token a head: a matrix-vector product for the scores, softmax over the row, one row of values.
module {
  func.func @decode_matvec(%q: index, %k: index, %v: index, %o: index) attributes {grid = [2]} {
    %cst0 = arith.constant dense<0.000000e+00> : tensor<64xf32>
    %cst1 = arith.constant dense<1.250000e-01> : tensor<64xf32>
    %cst2 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst3 = arith.constant dense<0xFF800000> : tensor<1xf32>
    %cst4 = arith.constant dense<0.000000e+00> : tensor<1xf32>
    %cst5 = arith.constant dense<0.000000e+00> : tensor<1x64xf32>
    %pid1 = ktdp.get_compute_tile_id : index
    %q_v2 = ktdp.construct_memory_view %q, sizes: [2, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x64xf16>
    %k_v3 = ktdp.construct_memory_view %k, sizes: [2, 64, 64], strides: [4096, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 63 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x64x64xf16>
    %v_v4 = ktdp.construct_memory_view %v, sizes: [2, 64, 64], strides: [4096, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 63 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x64x64xf16>
    %o_v5 = ktdp.construct_memory_view %o, sizes: [2, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x64xf16>
    %t6 = ktdp.construct_access_tile %q_v2[%pid1, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<2x64xf16> -> !ktdp.access_tile<1x64xindex>
    %x7 = ktdp.load %t6 : !ktdp.access_tile<1x64xindex> -> tensor<1x64xf16>
    %c8 = tensor.collapse_shape %x7 [[0, 1]] : tensor<1x64xf16> into tensor<64xf16>
    %t9 = ktdp.construct_access_tile %k_v3[%pid1, 0, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<2x64x64xf16> -> !ktdp.access_tile<1x64x64xindex>
    %x10 = ktdp.load %t9 : !ktdp.access_tile<1x64x64xindex> -> tensor<1x64x64xf16>
    %c11 = tensor.collapse_shape %x10 [[0, 1], [2]] : tensor<1x64x64xf16> into tensor<64x64xf16>
    %t12 = ktdp.construct_access_tile %v_v4[%pid1, 0, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<2x64x64xf16> -> !ktdp.access_tile<1x64x64xindex>
    %x13 = ktdp.load %t12 : !ktdp.access_tile<1x64x64xindex> -> tensor<1x64x64xf16>
    %c14 = tensor.collapse_shape %x13 [[0, 1], [2]] : tensor<1x64x64xf16> into tensor<64x64xf16>
    %d15 = linalg.matvec ins(%c11, %c8 : tensor<64x64xf16>, tensor<64xf16>) outs(%cst0 : tensor<64xf32>) -> tensor<64xf32>
    %e16 = arith.mulf %d15, %cst1 : tensor<64xf32>
    %x18 = tensor.expand_shape %e16 [[0, 1]] output_shape [1, 64] : tensor<64xf32> into tensor<1x64xf32>
    %r19 = linalg.reduce { arith.maximumf } ins(%x18 : tensor<1x64xf32>) outs(%cst3 : tensor<1xf32>) dimensions = [1]
    %em20 = tensor.empty() : tensor<1x64xf32>
    %b21 = linalg.broadcast ins(%r19 : tensor<1xf32>) outs(%em20 : tensor<1x64xf32>) dimensions = [1]
    %e22 = arith.subf %x18, %b21 : tensor<1x64xf32>
    %e23 = math.exp %e22 : tensor<1x64xf32>
    %r24 = linalg.reduce { arith.addf } ins(%e23 : tensor<1x64xf32>) outs(%cst4 : tensor<1xf32>) dimensions = [1]
    %em25 = tensor.empty() : tensor<1x64xf32>
    %b26 = linalg.broadcast ins(%r24 : tensor<1xf32>) outs(%em25 : tensor<1x64xf32>) dimensions = [1]
    %e27 = arith.divf %e23, %b26 : tensor<1x64xf32>
    %e28 = arith.truncf %e27 : tensor<1x64xf32> to tensor<1x64xf16>
    %d29 = linalg.matmul ins(%e28, %c14 : tensor<1x64xf16>, tensor<64x64xf16>) outs(%cst5 : tensor<1x64xf32>) -> tensor<1x64xf32>
    %e30 = arith.truncf %d29 : tensor<1x64xf32> to tensor<1x64xf16>
    %t31 = ktdp.construct_access_tile %o_v5[%pid1, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<2x64xf16> -> !ktdp.access_tile<1x64xindex>
    ktdp.store %e30, %t31 : tensor<1x64xf16>, !ktdp.access_tile<1x64xindex>
    return
  }
}
