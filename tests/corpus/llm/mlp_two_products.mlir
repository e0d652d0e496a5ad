// Two products in a row with tanh between them.
module {
  func.func @mlp_two_products(%x: index, %w1: index, %w2: index, %c: index) attributes {grid = [2]} {
    %c16 = arith.constant 16 : index
    %cst1 = arith.constant dense<0.000000e+00> : tensor<16x128xf32>
    %cst2 = arith.constant dense<0.000000e+00> : tensor<16x64xf32>
    %pid1 = ktdp.get_compute_tile_id : index
    %s2 = arith.muli %pid1, %c16 : index
    %x_v3 = ktdp.construct_memory_view %x, sizes: [32, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<32x64xf16>
    %w1_v4 = ktdp.construct_memory_view %w1, sizes: [64, 128], strides: [128, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 127 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<64x128xf16>
    %w2_v5 = ktdp.construct_memory_view %w2, sizes: [128, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 127 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<128x64xf16>
    %c_v6 = ktdp.construct_memory_view %c, sizes: [32, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<32x64xf16>
    %t7 = ktdp.construct_access_tile %x_v3[%s2, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<32x64xf16> -> !ktdp.access_tile<16x64xindex>
    %x8 = ktdp.load %t7 : !ktdp.access_tile<16x64xindex> -> tensor<16x64xf16>
    %t9 = ktdp.construct_access_tile %w1_v4[0, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 127 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<64x128xf16> -> !ktdp.access_tile<64x128xindex>
    %x10 = ktdp.load %t9 : !ktdp.access_tile<64x128xindex> -> tensor<64x128xf16>
    %d11 = linalg.matmul ins(%x8, %x10 : tensor<16x64xf16>, tensor<64x128xf16>) outs(%cst1 : tensor<16x128xf32>) -> tensor<16x128xf32>
    %e12 = math.tanh %d11 : tensor<16x128xf32>
    %e13 = arith.truncf %e12 : tensor<16x128xf32> to tensor<16x128xf16>
    %t14 = ktdp.construct_access_tile %w2_v5[0, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 127 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<128x64xf16> -> !ktdp.access_tile<128x64xindex>
    %x15 = ktdp.load %t14 : !ktdp.access_tile<128x64xindex> -> tensor<128x64xf16>
    %d16 = linalg.matmul ins(%e13, %x15 : tensor<16x128xf16>, tensor<128x64xf16>) outs(%cst2 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %e17 = arith.truncf %d16 : tensor<16x64xf32> to tensor<16x64xf16>
    %t18 = ktdp.construct_access_tile %c_v6[%s2, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<32x64xf16> -> !ktdp.access_tile<16x64xindex>
    ktdp.store %e17, %t18 : tensor<16x64xf16>, !ktdp.access_tile<16x64xindex>
    return
  }
}
