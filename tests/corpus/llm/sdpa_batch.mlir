// Inductor's math form of attention: batch products, an additive mask from memory, f16 scores.
module {
  func.func @sdpa_batch(%q: index, %k: index, %v: index, %mask: index, %o: index) attributes {grid = [2]} {
    %c2 = arith.constant 2 : index
    %cst1 = arith.constant dense<0.000000e+00> : tensor<2x32x32xf16>
    %cst2 = arith.constant dense<1.250000e-01> : tensor<2x32x32xf16>
    %cst3 = arith.constant dense<0xFF800000> : tensor<2x32xf32>
    %cst4 = arith.constant dense<0.000000e+00> : tensor<2x32xf32>
    %cst5 = arith.constant dense<0.000000e+00> : tensor<2x32x64xf16>
    %pid1 = ktdp.get_compute_tile_id : index
    %s2 = arith.muli %pid1, %c2 : index
    %q_v3 = ktdp.construct_memory_view %q, sizes: [4, 32, 64], strides: [2048, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 31 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x32x64xf16>
    %k_v4 = ktdp.construct_memory_view %k, sizes: [4, 32, 64], strides: [2048, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 31 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x32x64xf16>
    %v_v5 = ktdp.construct_memory_view %v, sizes: [4, 32, 64], strides: [2048, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 31 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x32x64xf16>
    %o_v6 = ktdp.construct_memory_view %o, sizes: [4, 32, 64], strides: [2048, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 31 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x32x64xf16>
    %mask_v7 = ktdp.construct_memory_view %mask, sizes: [32, 32], strides: [32, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 31 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<32x32xf16>
    %t8 = ktdp.construct_access_tile %q_v3[%s2, 0, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 31 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<4x32x64xf16> -> !ktdp.access_tile<2x32x64xindex>
    %x9 = ktdp.load %t8 : !ktdp.access_tile<2x32x64xindex> -> tensor<2x32x64xf16>
    %t10 = ktdp.construct_access_tile %k_v4[%s2, 0, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 31 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d2, d1)>} : memref<4x32x64xf16> -> !ktdp.access_tile<2x64x32xindex>
    %x11 = ktdp.load %t10 : !ktdp.access_tile<2x64x32xindex> -> tensor<2x64x32xf16>
    %t12 = ktdp.construct_access_tile %v_v5[%s2, 0, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 31 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<4x32x64xf16> -> !ktdp.access_tile<2x32x64xindex>
    %x13 = ktdp.load %t12 : !ktdp.access_tile<2x32x64xindex> -> tensor<2x32x64xf16>
    %t14 = ktdp.construct_access_tile %mask_v7[0, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<32x32xf16> -> !ktdp.access_tile<32x32xindex>
    %x15 = ktdp.load %t14 : !ktdp.access_tile<32x32xindex> -> tensor<32x32xf16>
    %d16 = linalg.batch_matmul ins(%x9, %x11 : tensor<2x32x64xf16>, tensor<2x64x32xf16>) outs(%cst1 : tensor<2x32x32xf16>) -> tensor<2x32x32xf16>
    %e17 = arith.mulf %d16, %cst2 : tensor<2x32x32xf16>
    %em18 = tensor.empty() : tensor<2x32x32xf16>
    %b19 = linalg.broadcast ins(%x15 : tensor<32x32xf16>) outs(%em18 : tensor<2x32x32xf16>) dimensions = [0]
    %e20 = arith.addf %e17, %b19 : tensor<2x32x32xf16>
    %e21 = arith.extf %e20 : tensor<2x32x32xf16> to tensor<2x32x32xf32>
    %r22 = linalg.reduce { arith.maximumf } ins(%e21 : tensor<2x32x32xf32>) outs(%cst3 : tensor<2x32xf32>) dimensions = [2]
    %em23 = tensor.empty() : tensor<2x32x32xf32>
    %b24 = linalg.broadcast ins(%r22 : tensor<2x32xf32>) outs(%em23 : tensor<2x32x32xf32>) dimensions = [2]
    %e25 = arith.subf %e21, %b24 : tensor<2x32x32xf32>
    %e26 = math.exp %e25 : tensor<2x32x32xf32>
    %r27 = linalg.reduce { arith.addf } ins(%e26 : tensor<2x32x32xf32>) outs(%cst4 : tensor<2x32xf32>) dimensions = [2]
    %em28 = tensor.empty() : tensor<2x32x32xf32>
    %b29 = linalg.broadcast ins(%r27 : tensor<2x32xf32>) outs(%em28 : tensor<2x32x32xf32>) dimensions = [2]
    %e30 = arith.divf %e26, %b29 : tensor<2x32x32xf32>
    %e31 = arith.truncf %e30 : tensor<2x32x32xf32> to tensor<2x32x32xf16>
    %d32 = linalg.batch_matmul ins(%e31, %x13 : tensor<2x32x32xf16>, tensor<2x32x64xf16>) outs(%cst5 : tensor<2x32x64xf16>) -> tensor<2x32x64xf16>
    %t33 = ktdp.construct_access_tile %o_v6[%s2, 0, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 31 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<4x32x64xf16> -> !ktdp.access_tile<2x32x64xindex>
    ktdp.store %d32, %t33 : tensor<2x32x64xf16>, !ktdp.access_tile<2x32x64xindex>
    return
  }
}
