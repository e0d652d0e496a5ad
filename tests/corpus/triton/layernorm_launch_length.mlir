// Layer norm of Triton's first tutorial: three loops over masked blocks of a row of launch length
module {
  func.func @layernorm_launch_length(%x: index, %w: index, %y: index, %n: i32) attributes {grid = [6]} {
    %cst_0 = arith.constant 1 : index
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<1x64xf32>
    %cst_2 = arith.constant 0 : index
    %cst_3 = arith.constant 64 : index
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<1xf32>
    %cst_5 = arith.constant 1.000000e-05 : f32
    %1 = ktdp.get_compute_tile_id : index
    %2 = arith.index_cast %n : i32 to index
    %3 = ktdp.construct_memory_view %x, sizes: [6, %2], strides: [256, 1] {coordinate_set = affine_set<(d0, d1)[s0] : (d0 >= 0, -d0 + 5 >= 0, d1 >= 0, -d1 + s0 - 1 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<6x?xf32>
    %4 = ktdp.construct_memory_view %y, sizes: [6, %2], strides: [256, 1] {coordinate_set = affine_set<(d0, d1)[s0] : (d0 >= 0, -d0 + 5 >= 0, d1 >= 0, -d1 + s0 - 1 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<6x?xf32>
    %5 = arith.muli %2, %cst_0 : index
    %6 = ktdp.construct_memory_view %w, sizes: [%2], strides: [1] {coordinate_set = affine_set<(d0)[s0] : (d0 >= 0, -d0 + s0 - 1 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<?xf32>
    %7 = arith.sitofp %n : i32 to f32
    %r8 = scf.for %i8 = %cst_2 to %2 step %cst_3 iter_args(%it8_0 = %cst_1) -> (tensor<1x64xf32>) {
      %9 = ktdp.construct_access_tile %3[%1, %i8] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<6x?xf32> -> !ktdp.access_tile<1x64xindex>
      %10 = ktdp.load %9 : !ktdp.access_tile<1x64xindex> -> tensor<1x64xf32>
      %11 = arith.addf %it8_0, %10 : tensor<1x64xf32>
      scf.yield %11 : tensor<1x64xf32>
    }
    %12 = linalg.reduce { arith.addf } ins(%r8 : tensor<1x64xf32>) outs(%cst_4 : tensor<1xf32>) dimensions = [1]
    %13 = tensor.extract %12[%cst_2] : tensor<1xf32>
    %14 = arith.divf %13, %7 : f32
    %r15 = scf.for %i15 = %cst_2 to %2 step %cst_3 iter_args(%it15_0 = %cst_1) -> (tensor<1x64xf32>) {
      %16 = tensor.empty() : tensor<1x64xi32>
      %17 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%16 : tensor<1x64xi32>) {
      ^bb0(%q17: i32):
        %ix17 = linalg.index 1 : index
        %iv17 = arith.index_cast %ix17 : index to i32
        linalg.yield %iv17 : i32
      } -> tensor<1x64xi32>
      %18 = arith.index_cast %i15 : index to i32
      %19 = tensor.splat %18 : tensor<1x64xi32>
      %20 = arith.addi %17, %19 : tensor<1x64xi32>
      %21 = ktdp.construct_access_tile %3[%1, %i15] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<6x?xf32> -> !ktdp.access_tile<1x64xindex>
      %22 = ktdp.load %21 : !ktdp.access_tile<1x64xindex> -> tensor<1x64xf32>
      %23 = tensor.splat %14 : tensor<1x64xf32>
      %24 = arith.subf %22, %23 : tensor<1x64xf32>
      %25 = tensor.splat %n : tensor<1x64xi32>
      %26 = arith.cmpi slt, %20, %25 : tensor<1x64xi32>
      %27 = arith.select %26, %24, %cst_1 : tensor<1x64xi1>, tensor<1x64xf32>
      %28 = arith.mulf %27, %27 : tensor<1x64xf32>
      %29 = arith.addf %it15_0, %28 : tensor<1x64xf32>
      scf.yield %29 : tensor<1x64xf32>
    }
    %30 = linalg.reduce { arith.addf } ins(%r15 : tensor<1x64xf32>) outs(%cst_4 : tensor<1xf32>) dimensions = [1]
    %31 = tensor.extract %30[%cst_2] : tensor<1xf32>
    %32 = arith.divf %31, %7 : f32
    %33 = arith.addf %32, %cst_5 : f32
    %34 = math.rsqrt %33 : f32
    scf.for %i35 = %cst_2 to %2 step %cst_3 {
      %36 = ktdp.construct_access_tile %6[%i35] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 63 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<?xf32> -> !ktdp.access_tile<64xindex>
      %37 = ktdp.load %36 : !ktdp.access_tile<64xindex> -> tensor<64xf32>
      %38 = tensor.expand_shape %37 [[0, 1]] output_shape [1, 64] : tensor<64xf32> into tensor<1x64xf32>
      %39 = ktdp.construct_access_tile %3[%1, %i35] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<6x?xf32> -> !ktdp.access_tile<1x64xindex>
      %40 = ktdp.load %39 : !ktdp.access_tile<1x64xindex> -> tensor<1x64xf32>
      %41 = tensor.splat %14 : tensor<1x64xf32>
      %42 = arith.subf %40, %41 : tensor<1x64xf32>
      %43 = tensor.splat %34 : tensor<1x64xf32>
      %44 = arith.mulf %42, %43 : tensor<1x64xf32>
      %45 = arith.mulf %44, %38 : tensor<1x64xf32>
      %46 = ktdp.construct_access_tile %4[%1, %i35] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<6x?xf32> -> !ktdp.access_tile<1x64xindex>
      ktdp.store %45, %46 : tensor<1x64xf32>, !ktdp.access_tile<1x64xindex>
    }
    return
  }
}
