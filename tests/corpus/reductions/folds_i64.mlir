// Folds of i64 rows of 97 from the largest, the smallest and all ones
module {
  func.func @folds_i64(%x: index, %a: index, %b: index, %c: index, %d: index) attributes {grid = [2]} {
    %pid1 = ktdp.get_compute_tile_id : index
    %c2 = arith.constant 3 : index
    %3 = arith.muli %pid1, %c2 : index
    %v4 = ktdp.construct_memory_view %x, sizes: [6, 97], strides: [97, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 5 >= 0, d1 >= 0, -d1 + 96 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<6x97xi64>
    %v5 = ktdp.construct_memory_view %a, sizes: [6], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 5 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<6xi64>
    %v6 = ktdp.construct_memory_view %b, sizes: [6], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 5 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<6xi64>
    %v7 = ktdp.construct_memory_view %c, sizes: [6], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 5 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<6xi64>
    %v8 = ktdp.construct_memory_view %d, sizes: [6], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 5 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<6xi64>
    %t9 = ktdp.construct_access_tile %v4[%3, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 96 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<6x97xi64> -> !ktdp.access_tile<3x97xindex>
    %10 = ktdp.load %t9 : !ktdp.access_tile<3x97xindex> -> tensor<3x97xi64>
    %cst11 = arith.constant dense<1152921504606846976> : tensor<3x97xi64>
    %12 = arith.muli %10, %cst11 : tensor<3x97xi64>
    %cst13 = arith.constant dense<4611686018427387904> : tensor<3x97xi64>
    %14 = arith.subi %12, %cst13 : tensor<3x97xi64>
    %cst15 = arith.constant dense<9223372036854775807> : tensor<3xi64>
    %r16 = linalg.reduce { arith.minsi } ins(%14 : tensor<3x97xi64>) outs(%cst15 : tensor<3xi64>) dimensions = [1] 
    %t17 = ktdp.construct_access_tile %v5[%3] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 2 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<6xi64> -> !ktdp.access_tile<3xindex>
    ktdp.store %r16, %t17 : tensor<3xi64>, !ktdp.access_tile<3xindex>
    %cst18 = arith.constant dense<-9223372036854775808> : tensor<3xi64>
    %r19 = linalg.reduce { arith.maxsi } ins(%14 : tensor<3x97xi64>) outs(%cst18 : tensor<3xi64>) dimensions = [1] 
    %t20 = ktdp.construct_access_tile %v6[%3] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 2 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<6xi64> -> !ktdp.access_tile<3xindex>
    ktdp.store %r19, %t20 : tensor<3xi64>, !ktdp.access_tile<3xindex>
    %cst21 = arith.constant dense<-1> : tensor<3xi64>
    %r22 = linalg.reduce { arith.minui } ins(%14 : tensor<3x97xi64>) outs(%cst21 : tensor<3xi64>) dimensions = [1] 
    %t23 = ktdp.construct_access_tile %v7[%3] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 2 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<6xi64> -> !ktdp.access_tile<3xindex>
    ktdp.store %r22, %t23 : tensor<3xi64>, !ktdp.access_tile<3xindex>
    %cst24 = arith.constant dense<9223372036854775800> : tensor<3xi64>
    %r25 = linalg.reduce { arith.minsi } ins(%14 : tensor<3x97xi64>) outs(%cst24 : tensor<3xi64>) dimensions = [1] 
    %t26 = ktdp.construct_access_tile %v8[%3] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 2 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<6xi64> -> !ktdp.access_tile<3xindex>
    ktdp.store %r25, %t26 : tensor<3xi64>, !ktdp.access_tile<3xindex>
    return
  }
}
