// Product with weights of four bits, unpacked and scaled by group
#set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#map = affine_map<(d0, d1) -> (d0, d1)>
#set1 = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 31 >= 0)>
#set2 = affine_set<(d0, d1) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#set3 = affine_set<(d0, d1) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 31 >= 0)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
module {
  func.func @w4a16_gemm(%a_ptr: index, %q_ptr: index, %s_ptr: index, %c_ptr: index) attributes {grid = [2]} {
    %pid_1 = ktdp.get_compute_tile_id : index
    %cst_2 = arith.constant 32 : index
    %muli_3 = arith.muli %pid_1, %cst_2 : index
    %view_4 = ktdp.construct_memory_view %a_ptr, sizes: [8, 64], strides: [64, 1] {coordinate_set = #set, memory_space = #ktdp.memory_space<global>} : memref<8x64xf16>
    %construct_access_tile_5 = ktdp.construct_access_tile %view_4[0, 0] {access_tile_set = #set, access_tile_order = #map} : memref<8x64xf16> -> !ktdp.access_tile<8x64xindex>
    %load_6 = ktdp.load %construct_access_tile_5 : !ktdp.access_tile<8x64xindex> -> tensor<8x64xf16>
    %view_7 = ktdp.construct_memory_view %q_ptr, sizes: [8, 64], strides: [64, 1] {coordinate_set = #set, memory_space = #ktdp.memory_space<global>} : memref<8x64xi32>
    %construct_access_tile_8 = ktdp.construct_access_tile %view_7[0, %muli_3] {access_tile_set = #set1, access_tile_order = #map} : memref<8x64xi32> -> !ktdp.access_tile<8x32xindex>
    %load_9 = ktdp.load %construct_access_tile_8 : !ktdp.access_tile<8x32xindex> -> tensor<8x32xi32>
    %view_10 = ktdp.construct_memory_view %s_ptr, sizes: [2, 64], strides: [64, 1] {coordinate_set = #set2, memory_space = #ktdp.memory_space<global>} : memref<2x64xf16>
    %construct_access_tile_11 = ktdp.construct_access_tile %view_10[0, %muli_3] {access_tile_set = #set3, access_tile_order = #map} : memref<2x64xf16> -> !ktdp.access_tile<2x32xindex>
    %load_12 = ktdp.load %construct_access_tile_11 : !ktdp.access_tile<2x32xindex> -> tensor<2x32xf16>
    %empty_13 = tensor.empty() : tensor<8x8x32xi32>
    %broadcast_14 = linalg.broadcast ins(%load_9 : tensor<8x32xi32>) outs(%empty_13 : tensor<8x8x32xi32>) dimensions = [1]
    %empty_15 = tensor.empty() : tensor<8x8x32xi32>
    %g16 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel", "parallel", "parallel"]} outs(%empty_15 : tensor<8x8x32xi32>) {
    ^bb0(%a16_0: i32):
      %index_17 = linalg.index 1 : index
      %index_cast_18 = arith.index_cast %index_17 : index to i32
      linalg.yield %index_cast_18 : i32
    } -> tensor<8x8x32xi32>
    %cst_19 = arith.constant dense<4> : tensor<8x8x32xi32>
    %muli_20 = arith.muli %g16, %cst_19 : tensor<8x8x32xi32>
    %shrui_21 = arith.shrui %broadcast_14, %muli_20 : tensor<8x8x32xi32>
    %cst_22 = arith.constant dense<15> : tensor<8x8x32xi32>
    %andi_23 = arith.andi %shrui_21, %cst_22 : tensor<8x8x32xi32>
    %cst_24 = arith.constant dense<8> : tensor<8x8x32xi32>
    %subi_25 = arith.subi %andi_23, %cst_24 : tensor<8x8x32xi32>
    %sitofp_26 = arith.sitofp %subi_25 : tensor<8x8x32xi32> to tensor<8x8x32xf16>
    %constant_27 = arith.constant dense<[64, 32]> : tensor<2xindex>
    %reshape_28 = tensor.reshape %sitofp_26(%constant_27) : (tensor<8x8x32xf16>, tensor<2xindex>) -> tensor<64x32xf16>
    %empty_29 = tensor.empty() : tensor<2x32x32xf16>
    %broadcast_30 = linalg.broadcast ins(%load_12 : tensor<2x32xf16>) outs(%empty_29 : tensor<2x32x32xf16>) dimensions = [1]
    %constant_31 = arith.constant dense<[64, 32]> : tensor<2xindex>
    %reshape_32 = tensor.reshape %broadcast_30(%constant_31) : (tensor<2x32x32xf16>, tensor<2xindex>) -> tensor<64x32xf16>
    %view_33 = ktdp.construct_memory_view %c_ptr, sizes: [8, 64], strides: [64, 1] {coordinate_set = #set, memory_space = #ktdp.memory_space<global>} : memref<8x64xf16>
    %mulf_34 = arith.mulf %reshape_28, %reshape_32 : tensor<64x32xf16>
    %cst_35 = arith.constant dense<0.000000e+00> : tensor<8x32xf32>
    %matmul_36 = linalg.matmul ins(%load_6, %mulf_34 : tensor<8x64xf16>, tensor<64x32xf16>) outs(%cst_35 : tensor<8x32xf32>) -> tensor<8x32xf32>
    %truncf_37 = arith.truncf %matmul_36 : tensor<8x32xf32> to tensor<8x32xf16>
    %construct_access_tile_38 = ktdp.construct_access_tile %view_33[0, %muli_3] {access_tile_set = #set1, access_tile_order = #map} : memref<8x64xf16> -> !ktdp.access_tile<8x32xindex>
    ktdp.store %truncf_37, %construct_access_tile_38 : tensor<8x32xf16>, !ktdp.access_tile<8x32xindex>
    return
  }
}
