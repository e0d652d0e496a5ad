// A product whose streamed operand the kernel keeps in its own scratchpad.
module {
  func.func @local_operand(%x: index, %w: index, %c: index) attributes {grid = [2]} {
    %c16 = arith.constant 16 : index
    %c0 = arith.constant 0 : index
    %cst2 = arith.constant dense<0.000000e+00> : tensor<16x64xf32>
    %pid1 = ktdp.get_compute_tile_id : index
    %s2 = arith.muli %pid1, %c16 : index
    %x_v3 = ktdp.construct_memory_view %x, sizes: [32, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<32x64xf16>
    %w_v4 = ktdp.construct_memory_view %w, sizes: [64, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<64x64xf16>
    %c_v5 = ktdp.construct_memory_view %c, sizes: [32, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<32x64xf16>
    %c0_v6 = ktdp.construct_memory_view %c0, sizes: [16, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<LX>} : memref<16x64xf16>
    %t7 = ktdp.construct_access_tile %x_v3[%s2, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<32x64xf16> -> !ktdp.access_tile<16x64xindex>
    %x8 = ktdp.load %t7 : !ktdp.access_tile<16x64xindex> -> tensor<16x64xf16>
    %e9 = arith.addf %x8, %x8 : tensor<16x64xf16>
    %t10 = ktdp.construct_access_tile %c0_v6[0, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<16x64xf16> -> !ktdp.access_tile<16x64xindex>
    ktdp.store %e9, %t10 : tensor<16x64xf16>, !ktdp.access_tile<16x64xindex>
    %t11 = ktdp.construct_access_tile %c0_v6[0, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<16x64xf16> -> !ktdp.access_tile<16x64xindex>
    %x12 = ktdp.load %t11 : !ktdp.access_tile<16x64xindex> -> tensor<16x64xf16>
    %t13 = ktdp.construct_access_tile %w_v4[0, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<64x64xf16> -> !ktdp.access_tile<64x64xindex>
    %x14 = ktdp.load %t13 : !ktdp.access_tile<64x64xindex> -> tensor<64x64xf16>
    %d15 = linalg.matmul ins(%x12, %x14 : tensor<16x64xf16>, tensor<64x64xf16>) outs(%cst2 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %e16 = arith.truncf %d15 : tensor<16x64xf32> to tensor<16x64xf16>
    %t17 = ktdp.construct_access_tile %c_v5[%s2, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<32x64xf16> -> !ktdp.access_tile<16x64xindex>
    ktdp.store %e16, %t17 : tensor<16x64xf16>, !ktdp.access_tile<16x64xindex>
    return
  }
}
