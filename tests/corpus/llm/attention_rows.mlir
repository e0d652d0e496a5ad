// Attention over whole rows of scores: product, softmax, product.
module {
  func.func @attention_rows(%q: index, %k: index, %v: index, %o: index) attributes {grid = [4]} {
    %c16 = arith.constant 16 : index
    %cst1 = arith.constant dense<0.000000e+00> : tensor<16x64xf32>
    %cst2 = arith.constant dense<1.250000e-01> : tensor<16x64xf32>
    %cst3 = arith.constant dense<0xFF800000> : tensor<16xf32>
    %cst4 = arith.constant dense<0.000000e+00> : tensor<16xf32>
    %pid1 = ktdp.get_compute_tile_id : index
    %q_v2 = ktdp.construct_memory_view %q, sizes: [64, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<64x64xf16>
    %k_v3 = ktdp.construct_memory_view %k, sizes: [64, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<64x64xf16>
    %v_v4 = ktdp.construct_memory_view %v, sizes: [64, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<64x64xf16>
    %o_v5 = ktdp.construct_memory_view %o, sizes: [64, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<64x64xf16>
    %s6 = arith.muli %pid1, %c16 : index
    %t7 = ktdp.construct_access_tile %q_v2[%s6, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<64x64xf16> -> !ktdp.access_tile<16x64xindex>
    %x8 = ktdp.load %t7 : !ktdp.access_tile<16x64xindex> -> tensor<16x64xf16>
    %t9 = ktdp.construct_access_tile %k_v3[0, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d1, d0)>} : memref<64x64xf16> -> !ktdp.access_tile<64x64xindex>
    %x10 = ktdp.load %t9 : !ktdp.access_tile<64x64xindex> -> tensor<64x64xf16>
    %t11 = ktdp.construct_access_tile %v_v4[0, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<64x64xf16> -> !ktdp.access_tile<64x64xindex>
    %x12 = ktdp.load %t11 : !ktdp.access_tile<64x64xindex> -> tensor<64x64xf16>
    %d13 = linalg.matmul ins(%x8, %x10 : tensor<16x64xf16>, tensor<64x64xf16>) outs(%cst1 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %e14 = arith.mulf %d13, %cst2 : tensor<16x64xf32>
    %r15 = linalg.reduce { arith.maximumf } ins(%e14 : tensor<16x64xf32>) outs(%cst3 : tensor<16xf32>) dimensions = [1]
    %em16 = tensor.empty() : tensor<16x64xf32>
    %b17 = linalg.broadcast ins(%r15 : tensor<16xf32>) outs(%em16 : tensor<16x64xf32>) dimensions = [1]
    %e18 = arith.subf %e14, %b17 : tensor<16x64xf32>
    %e19 = math.exp %e18 : tensor<16x64xf32>
    %r20 = linalg.reduce { arith.addf } ins(%e19 : tensor<16x64xf32>) outs(%cst4 : tensor<16xf32>) dimensions = [1]
    %em21 = tensor.empty() : tensor<16x64xf32>
    %b22 = linalg.broadcast ins(%r20 : tensor<16xf32>) outs(%em21 : tensor<16x64xf32>) dimensions = [1]
    %e23 = arith.divf %e19, %b22 : tensor<16x64xf32>
    %e24 = arith.truncf %e23 : tensor<16x64xf32> to tensor<16x64xf16>
    %d25 = linalg.matmul ins(%e24, %x12 : tensor<16x64xf16>, tensor<64x64xf16>) outs(%cst1 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %e26 = arith.truncf %d25 : tensor<16x64xf32> to tensor<16x64xf16>
    %t27 = ktdp.construct_access_tile %o_v5[%s6, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<64x64xf16> -> !ktdp.access_tile<16x64xindex>
    ktdp.store %e26, %t27 : tensor<16x64xf16>, !ktdp.access_tile<16x64xindex>
    return
  }
}
