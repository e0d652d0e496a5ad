// AdamW: parameter, two moments in place, f16 copy; 997 elements
module {
  func.func @adamw_in_place(%param: index, %grad: index, %exp_avg: index, %exp_avg_sq: index, %half: index, %lr: f32) attributes {grid = [9]} {
    %pid1 = ktdp.get_compute_tile_id : index
    %c2 = arith.constant 111 : index
    %3 = arith.muli %pid1, %c2 : index
    %c4 = arith.constant 997 : index
    %v5 = ktdp.construct_memory_view %param, sizes: [%c4], strides: [1] {coordinate_set = affine_set<(d0)[s0] : (d0 >= 0, -d0 + s0 - 1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<?xf32>
    %v6 = ktdp.construct_memory_view %grad, sizes: [%c4], strides: [1] {coordinate_set = affine_set<(d0)[s0] : (d0 >= 0, -d0 + s0 - 1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<?xf32>
    %v7 = ktdp.construct_memory_view %exp_avg, sizes: [%c4], strides: [1] {coordinate_set = affine_set<(d0)[s0] : (d0 >= 0, -d0 + s0 - 1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<?xf32>
    %v8 = ktdp.construct_memory_view %exp_avg_sq, sizes: [%c4], strides: [1] {coordinate_set = affine_set<(d0)[s0] : (d0 >= 0, -d0 + s0 - 1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<?xf32>
    %v9 = ktdp.construct_memory_view %half, sizes: [%c4], strides: [1] {coordinate_set = affine_set<(d0)[s0] : (d0 >= 0, -d0 + s0 - 1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<?xf16>
    %t10 = ktdp.construct_access_tile %v5[%3] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 110 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<?xf32> -> !ktdp.access_tile<111xindex>
    %11 = ktdp.load %t10 : !ktdp.access_tile<111xindex> -> tensor<111xf32>
    %t12 = ktdp.construct_access_tile %v6[%3] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 110 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<?xf32> -> !ktdp.access_tile<111xindex>
    %13 = ktdp.load %t12 : !ktdp.access_tile<111xindex> -> tensor<111xf32>
    %t14 = ktdp.construct_access_tile %v7[%3] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 110 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<?xf32> -> !ktdp.access_tile<111xindex>
    %15 = ktdp.load %t14 : !ktdp.access_tile<111xindex> -> tensor<111xf32>
    %t16 = ktdp.construct_access_tile %v8[%3] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 110 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<?xf32> -> !ktdp.access_tile<111xindex>
    %17 = ktdp.load %t16 : !ktdp.access_tile<111xindex> -> tensor<111xf32>
    %cst18 = arith.constant dense<9.000000e-01> : tensor<111xf32>
    %19 = arith.mulf %15, %cst18 : tensor<111xf32>
    %cst20 = arith.constant dense<1.000000e-01> : tensor<111xf32>
    %21 = arith.mulf %13, %cst20 : tensor<111xf32>
    %22 = arith.addf %19, %21 : tensor<111xf32>
    %23 = math.absf %17 : tensor<111xf32>
    %cst24 = arith.constant dense<9.990000e-01> : tensor<111xf32>
    %25 = arith.mulf %23, %cst24 : tensor<111xf32>
    %26 = arith.mulf %13, %13 : tensor<111xf32>
    %cst27 = arith.constant dense<1.000000e-03> : tensor<111xf32>
    %28 = arith.mulf %26, %cst27 : tensor<111xf32>
    %29 = arith.addf %25, %28 : tensor<111xf32>
    %30 = math.sqrt %29 : tensor<111xf32>
    %cst31 = arith.constant dense<1.000000e-08> : tensor<111xf32>
    %32 = arith.addf %30, %cst31 : tensor<111xf32>
    %33 = arith.divf %22, %32 : tensor<111xf32>
    %cst34 = arith.constant dense<9.900000e-01> : tensor<111xf32>
    %35 = arith.mulf %11, %cst34 : tensor<111xf32>
    %36 = tensor.splat %lr : tensor<111xf32>
    %37 = arith.mulf %33, %36 : tensor<111xf32>
    %38 = arith.subf %35, %37 : tensor<111xf32>
    %t39 = ktdp.construct_access_tile %v5[%3] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 110 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<?xf32> -> !ktdp.access_tile<111xindex>
    ktdp.store %38, %t39 : tensor<111xf32>, !ktdp.access_tile<111xindex>
    %t40 = ktdp.construct_access_tile %v7[%3] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 110 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<?xf32> -> !ktdp.access_tile<111xindex>
    ktdp.store %22, %t40 : tensor<111xf32>, !ktdp.access_tile<111xindex>
    %t41 = ktdp.construct_access_tile %v8[%3] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 110 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<?xf32> -> !ktdp.access_tile<111xindex>
    ktdp.store %29, %t41 : tensor<111xf32>, !ktdp.access_tile<111xindex>
    %42 = arith.truncf %38 : tensor<111xf32> to tensor<111xf16>
    %t43 = ktdp.construct_access_tile %v9[%3] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 110 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<?xf16> -> !ktdp.access_tile<111xindex>
    ktdp.store %42, %t43 : tensor<111xf16>, !ktdp.access_tile<111xindex>
    return
  }
}
