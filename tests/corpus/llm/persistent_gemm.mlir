// Persistent product: five tiles take the twelve output blocks in turn, some one block more than others.
module {
  func.func @persistent_gemm(%a_ptr: index, %b_ptr: index, %c_ptr: index) attributes {grid = [5]} {
    %pid_1 = ktdp.get_compute_tile_id : index
    %index_cast_2 = arith.index_cast %pid_1 : index to i32
    %view_3 = ktdp.construct_memory_view %a_ptr, sizes: [64, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<64x64xf16>
    %view_4 = ktdp.construct_memory_view %b_ptr, sizes: [64, 96], strides: [96, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 95 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<64x96xf16>
    %view_5 = ktdp.construct_memory_view %c_ptr, sizes: [64, 96], strides: [96, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 95 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<64x96xf16>
    %cst_6 = arith.constant 12 : i32
    %cst_7 = arith.constant 5 : i32
    scf.for %i8 = %index_cast_2 to %cst_6 step %cst_7 : i32 {
      %cst_9 = arith.constant 3 : i32
      %divsi_10 = arith.divsi %i8, %cst_9 : i32
      %cst_11 = arith.constant 16 : i32
      %muli_12 = arith.muli %divsi_10, %cst_11 : i32
      %index_cast_13 = arith.index_cast %muli_12 : i32 to index
      %cst_14 = arith.constant 3 : i32
      %remsi_15 = arith.remsi %i8, %cst_14 : i32
      %cst_16 = arith.constant 32 : i32
      %muli_17 = arith.muli %remsi_15, %cst_16 : i32
      %index_cast_18 = arith.index_cast %muli_17 : i32 to index
      %cst_19 = arith.constant dense<0.000000e+00> : tensor<16x32xf32>
      %cst_20 = arith.constant 0 : i32
      %cst_21 = arith.constant 2 : i32
      %cst_22 = arith.constant 1 : i32
      %r23 = scf.for %i23 = %cst_20 to %cst_21 step %cst_22 iter_args(%it23_0 = %cst_19) -> (tensor<16x32xf32>) : i32 {
        %cst_24 = arith.constant 32 : i32
        %muli_25 = arith.muli %i23, %cst_24 : i32
        %index_cast_26 = arith.index_cast %muli_25 : i32 to index
        %construct_access_tile_27 = ktdp.construct_access_tile %view_3[%index_cast_13, %index_cast_26] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<64x64xf16> -> !ktdp.access_tile<16x32xindex>
        %load_28 = ktdp.load %construct_access_tile_27 : <16x32xindex> -> tensor<16x32xf16>
        %construct_access_tile_29 = ktdp.construct_access_tile %view_4[%index_cast_26, %index_cast_18] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<64x96xf16> -> !ktdp.access_tile<32x32xindex>
        %load_30 = ktdp.load %construct_access_tile_29 : <32x32xindex> -> tensor<32x32xf16>
        %matmul_31 = linalg.matmul ins(%load_28, %load_30 : tensor<16x32xf16>, tensor<32x32xf16>) outs(%it23_0 : tensor<16x32xf32>) -> tensor<16x32xf32>
        scf.yield %matmul_31 : tensor<16x32xf32>
      }
      %truncf_32 = arith.truncf %r23 : tensor<16x32xf32> to tensor<16x32xf16>
      %construct_access_tile_33 = ktdp.construct_access_tile %view_5[%index_cast_13, %index_cast_18] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<64x96xf16> -> !ktdp.access_tile<16x32xindex>
      ktdp.store %truncf_32, %construct_access_tile_33 : tensor<16x32xf16>, <16x32xindex>
    }
    return
  }
}
