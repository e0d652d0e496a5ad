// Mean, variance and maximum of 331 columns over 40 rows, and the normalised columns: vectors lie along the columns
module {
  func.func @column_statistics_prime(%x: index, %mean: index, %var: index, %max: index, %y: index) attributes {grid = [2]} {
    %pid1 = ktdp.get_compute_tile_id : index
    %v2 = ktdp.construct_memory_view %x, sizes: [2, 40, 331], strides: [13240, 331, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 39 >= 0, d2 >= 0, -d2 + 330 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2x40x331xf16>
    %v3 = ktdp.construct_memory_view %mean, sizes: [2, 331], strides: [331, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 330 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2x331xf32>
    %v4 = ktdp.construct_memory_view %var, sizes: [2, 331], strides: [331, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 330 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2x331xf32>
    %v5 = ktdp.construct_memory_view %max, sizes: [2, 331], strides: [331, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 330 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2x331xf32>
    %v6 = ktdp.construct_memory_view %y, sizes: [2, 40, 331], strides: [13240, 331, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 39 >= 0, d2 >= 0, -d2 + 330 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2x40x331xf16>
    %t7 = ktdp.construct_access_tile %v2[%pid1, 0, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 39 >= 0, d2 >= 0, -d2 + 330 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<2x40x331xf16> -> !ktdp.access_tile<1x40x331xindex>
    %8 = ktdp.load %t7 : !ktdp.access_tile<1x40x331xindex> -> tensor<1x40x331xf16>
    %9 = arith.extf %8 : tensor<1x40x331xf16> to tensor<1x40x331xf32>
    %cst10 = arith.constant dense<0.000000e+00> : tensor<1x331xf32>
    %r11 = linalg.reduce { arith.addf } ins(%9 : tensor<1x40x331xf32>) outs(%cst10 : tensor<1x331xf32>) dimensions = [1] 
    %cst12 = arith.constant dense<2.500000e-02> : tensor<1x331xf32>
    %13 = arith.mulf %r11, %cst12 : tensor<1x331xf32>
    %e14 = tensor.empty() : tensor<1x40x331xf32>
    %b15 = linalg.broadcast ins(%13 : tensor<1x331xf32>) outs(%e14 : tensor<1x40x331xf32>) dimensions = [1] 
    %16 = arith.subf %9, %b15 : tensor<1x40x331xf32>
    %17 = arith.mulf %16, %16 : tensor<1x40x331xf32>
    %cst18 = arith.constant dense<0.000000e+00> : tensor<1x331xf32>
    %r19 = linalg.reduce { arith.addf } ins(%17 : tensor<1x40x331xf32>) outs(%cst18 : tensor<1x331xf32>) dimensions = [1] 
    %cst20 = arith.constant dense<2.500000e-02> : tensor<1x331xf32>
    %21 = arith.mulf %r19, %cst20 : tensor<1x331xf32>
    %t22 = ktdp.construct_access_tile %v3[%pid1, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 330 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<2x331xf32> -> !ktdp.access_tile<1x331xindex>
    ktdp.store %13, %t22 : tensor<1x331xf32>, !ktdp.access_tile<1x331xindex>
    %t23 = ktdp.construct_access_tile %v4[%pid1, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 330 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<2x331xf32> -> !ktdp.access_tile<1x331xindex>
    ktdp.store %21, %t23 : tensor<1x331xf32>, !ktdp.access_tile<1x331xindex>
    %cst24 = arith.constant dense<0xFF800000> : tensor<1x331xf32>
    %r25 = linalg.reduce { arith.maximumf } ins(%9 : tensor<1x40x331xf32>) outs(%cst24 : tensor<1x331xf32>) dimensions = [1] 
    %t26 = ktdp.construct_access_tile %v5[%pid1, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 330 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<2x331xf32> -> !ktdp.access_tile<1x331xindex>
    ktdp.store %r25, %t26 : tensor<1x331xf32>, !ktdp.access_tile<1x331xindex>
    %cst27 = arith.constant dense<1.000000e-05> : tensor<1x331xf32>
    %28 = arith.addf %21, %cst27 : tensor<1x331xf32>
    %29 = math.rsqrt %28 : tensor<1x331xf32>
    %e30 = tensor.empty() : tensor<1x40x331xf32>
    %b31 = linalg.broadcast ins(%29 : tensor<1x331xf32>) outs(%e30 : tensor<1x40x331xf32>) dimensions = [1] 
    %32 = arith.mulf %16, %b31 : tensor<1x40x331xf32>
    %33 = arith.truncf %32 : tensor<1x40x331xf32> to tensor<1x40x331xf16>
    %t34 = ktdp.construct_access_tile %v6[%pid1, 0, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 39 >= 0, d2 >= 0, -d2 + 330 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<2x40x331xf16> -> !ktdp.access_tile<1x40x331xindex>
    ktdp.store %33, %t34 : tensor<1x40x331xf16>, !ktdp.access_tile<1x40x331xindex>
    return
  }
}
