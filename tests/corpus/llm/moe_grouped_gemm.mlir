// Grouped product: each tile takes the weights of the expert that a table names
module {
  func.func @moe_grouped_gemm(%x_ptr: index, %w_ptr: index, %eid_ptr: index, %y_ptr: index) attributes {grid = [4]} {
    %pid_1 = ktdp.get_compute_tile_id : index
    %cst_2 = arith.constant 16 : index
    %muli_3 = arith.muli %pid_1, %cst_2 : index
    %view_4 = ktdp.construct_memory_view %x_ptr, sizes: [64, 32], strides: [32, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 31 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<64x32xf16>
    %construct_access_tile_5 = ktdp.construct_access_tile %view_4[%muli_3, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<64x32xf16> -> !ktdp.access_tile<16x32xindex>
    %load_6 = ktdp.load %construct_access_tile_5 : !ktdp.access_tile<16x32xindex> -> tensor<16x32xf16>
    %view_7 = ktdp.construct_memory_view %eid_ptr, sizes: [4], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4xi32>
    %view_8 = ktdp.construct_memory_view %w_ptr, sizes: [8, 32, 64], strides: [2048, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 31 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<8x32x64xf16>
    %construct_indirect_access_tile_9 = ktdp.construct_indirect_access_tile intermediate_variables(%z, %i, %j) %view_8[ind(%view_7[%pid_1 + %z]), (%i), (%j)] {variables_space_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 31 >= 0, d2 >= 0, -d2 + 63 >= 0)>, variables_space_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<8x32x64xf16>, memref<4xi32> -> !ktdp.access_tile<1x32x64xindex>
    %load_10 = ktdp.load %construct_indirect_access_tile_9 : !ktdp.access_tile<1x32x64xindex> -> tensor<1x32x64xf16>
    %constant_11 = arith.constant dense<[32, 64]> : tensor<2xindex>
    %reshape_12 = tensor.reshape %load_10(%constant_11) : (tensor<1x32x64xf16>, tensor<2xindex>) -> tensor<32x64xf16>
    %view_13 = ktdp.construct_memory_view %y_ptr, sizes: [64, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<64x64xf16>
    %cst_14 = arith.constant dense<0.000000e+00> : tensor<16x64xf32>
    %matmul_15 = linalg.matmul ins(%load_6, %reshape_12 : tensor<16x32xf16>, tensor<32x64xf16>) outs(%cst_14 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %truncf_16 = arith.truncf %matmul_15 : tensor<16x64xf32> to tensor<16x64xf16>
    %construct_access_tile_17 = ktdp.construct_access_tile %view_13[%muli_3, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<64x64xf16> -> !ktdp.access_tile<16x64xindex>
    ktdp.store %truncf_16, %construct_access_tile_17 : tensor<16x64xf16>, !ktdp.access_tile<16x64xindex>
    return
  }
}
