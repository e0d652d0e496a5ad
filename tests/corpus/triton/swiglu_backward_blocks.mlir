// SwiGLU backward over column blocks of a packed gate|up row, the last block over the end, masked by the launch length
module {
  func.func @swiglu_backward_blocks(%dc: index, %gu: index, %dgu: index, %n: i32) attributes {grid = [2]} {
    %cst_0 = arith.constant 0 : i32
    %cst_1 = arith.constant 64 : i32
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<1x64xf32>
    %cst_3 = arith.constant dense<[1, 64]> : tensor<2xindex>
    %cst_4 = arith.constant dense<1.000000e+00> : tensor<1x64xf32>
    %cst_5 = arith.constant dense<[1, 1, 64]> : tensor<3xindex>
    %1 = ktdp.get_compute_tile_id : index
    %2 = arith.index_cast %n : i32 to index
    %3 = ktdp.construct_memory_view %dc, sizes: [2, %2], strides: [100, 1] {coordinate_set = affine_set<(d0, d1)[s0] : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + s0 - 1 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x?xf16>
    %4 = ktdp.construct_memory_view %gu, sizes: [2, 2, %2], strides: [200, 100, 1] {coordinate_set = affine_set<(d0, d1, d2)[s0] : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 1 >= 0, d2 >= 0, -d2 + s0 - 1 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x2x?xf16>
    %5 = ktdp.construct_memory_view %dgu, sizes: [2, 2, %2], strides: [200, 100, 1] {coordinate_set = affine_set<(d0, d1, d2)[s0] : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 1 >= 0, d2 >= 0, -d2 + s0 - 1 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x2x?xf16>
    scf.for %i6 = %cst_0 to %n step %cst_1 : i32 {
      %7 = tensor.empty() : tensor<1x64xi32>
      %8 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%7 : tensor<1x64xi32>) {
      ^bb0(%q8: i32):
        %ix8 = linalg.index 1 : index
        %iv8 = arith.index_cast %ix8 : index to i32
        linalg.yield %iv8 : i32
      } -> tensor<1x64xi32>
      %9 = tensor.splat %i6 : tensor<1x64xi32>
      %10 = arith.addi %8, %9 : tensor<1x64xi32>
      %11 = arith.index_cast %i6 : i32 to index
      %12 = tensor.splat %n : tensor<1x64xi32>
      %13 = arith.cmpi slt, %10, %12 : tensor<1x64xi32>
      %14 = ktdp.construct_access_tile %3[%1, %11] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<2x?xf16> -> !ktdp.access_tile<1x64xindex>
      %15 = ktdp.load %14 : !ktdp.access_tile<1x64xindex> -> tensor<1x64xf16>
      %16 = arith.extf %15 : tensor<1x64xf16> to tensor<1x64xf32>
      %17 = arith.select %13, %16, %cst_2 : tensor<1x64xi1>, tensor<1x64xf32>
      %18 = ktdp.construct_access_tile %4[%1, 0, %11] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 0 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<2x2x?xf16> -> !ktdp.access_tile<1x1x64xindex>
      %19 = ktdp.load %18 : !ktdp.access_tile<1x1x64xindex> -> tensor<1x1x64xf16>
      %20 = tensor.reshape %19(%cst_3) : (tensor<1x1x64xf16>, tensor<2xindex>) -> tensor<1x64xf16>
      %21 = arith.extf %20 : tensor<1x64xf16> to tensor<1x64xf32>
      %22 = arith.select %13, %21, %cst_2 : tensor<1x64xi1>, tensor<1x64xf32>
      %23 = ktdp.construct_access_tile %4[%1, 1, %11] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 0 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<2x2x?xf16> -> !ktdp.access_tile<1x1x64xindex>
      %24 = ktdp.load %23 : !ktdp.access_tile<1x1x64xindex> -> tensor<1x1x64xf16>
      %25 = tensor.reshape %24(%cst_3) : (tensor<1x1x64xf16>, tensor<2xindex>) -> tensor<1x64xf16>
      %26 = arith.extf %25 : tensor<1x64xf16> to tensor<1x64xf32>
      %27 = arith.select %13, %26, %cst_2 : tensor<1x64xi1>, tensor<1x64xf32>
      %28 = arith.negf %22 : tensor<1x64xf32>
      %29 = math.exp %28 : tensor<1x64xf32>
      %30 = arith.addf %29, %cst_4 : tensor<1x64xf32>
      %31 = arith.divf %cst_4, %30 : tensor<1x64xf32>
      %32 = arith.mulf %17, %27 : tensor<1x64xf32>
      %33 = arith.mulf %32, %31 : tensor<1x64xf32>
      %34 = arith.subf %cst_4, %31 : tensor<1x64xf32>
      %35 = arith.mulf %34, %22 : tensor<1x64xf32>
      %36 = arith.addf %35, %cst_4 : tensor<1x64xf32>
      %37 = arith.mulf %33, %36 : tensor<1x64xf32>
      %38 = arith.truncf %37 : tensor<1x64xf32> to tensor<1x64xf16>
      %39 = tensor.reshape %38(%cst_5) : (tensor<1x64xf16>, tensor<3xindex>) -> tensor<1x1x64xf16>
      %40 = ktdp.construct_access_tile %5[%1, 0, %11] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 0 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<2x2x?xf16> -> !ktdp.access_tile<1x1x64xindex>
      ktdp.store %39, %40 : tensor<1x1x64xf16>, !ktdp.access_tile<1x1x64xindex>
      %41 = arith.mulf %17, %22 : tensor<1x64xf32>
      %42 = arith.mulf %41, %31 : tensor<1x64xf32>
      %43 = arith.truncf %42 : tensor<1x64xf32> to tensor<1x64xf16>
      %44 = tensor.reshape %43(%cst_5) : (tensor<1x64xf16>, tensor<3xindex>) -> tensor<1x1x64xf16>
      %45 = ktdp.construct_access_tile %5[%1, 1, %11] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 0 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<2x2x?xf16> -> !ktdp.access_tile<1x1x64xindex>
      ktdp.store %44, %45 : tensor<1x1x64xf16>, !ktdp.access_tile<1x1x64xindex>
    }
    return
  }
}
