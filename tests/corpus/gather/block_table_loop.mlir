// Paged keys as Triton reads them: the number of a block in a loop, then its rows
module {
  func.func @block_table_loop(%kc: index, %table: index, %q: index, %o: index) attributes {grid = [4]} {
    %cst_0 = arith.constant 0 : index
    %cst_1 = arith.constant 3 : index
    %cst_2 = arith.constant 1 : index
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<16xf32>
    %cst_4 = arith.constant 16 : index
    %1 = ktdp.get_compute_tile_id : index
    %2 = ktdp.construct_memory_view %kc, sizes: [8, 16, 32], strides: [512, 32, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 15 >= 0, d2 >= 0, -d2 + 31 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<8x16x32xf16>
    %3 = ktdp.construct_memory_view %table, sizes: [4, 3], strides: [3, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 2 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x3xi32>
    %4 = ktdp.construct_memory_view %q, sizes: [4, 32], strides: [32, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 31 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x32xf16>
    %5 = ktdp.construct_memory_view %o, sizes: [4, 48], strides: [48, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 47 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x48xf32>
    %6 = ktdp.construct_access_tile %4[%1, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<4x32xf16> -> !ktdp.access_tile<1x32xindex>
    %7 = ktdp.load %6 : !ktdp.access_tile<1x32xindex> -> tensor<1x32xf16>
    %8 = arith.extf %7 : tensor<1x32xf16> to tensor<1x32xf32>
    %9 = tensor.collapse_shape %8 [[0, 1]] : tensor<1x32xf32> into tensor<32xf32>
    %10 = tensor.empty() : tensor<16x32xf32>
    %11 = linalg.broadcast ins(%9 : tensor<32xf32>) outs(%10 : tensor<16x32xf32>) dimensions = [0]
    scf.for %i12 = %cst_0 to %cst_1 step %cst_2 {
      %13 = ktdp.construct_access_tile %3[%1, %i12] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 0 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<4x3xi32> -> !ktdp.access_tile<1x1xindex>
      %14 = ktdp.load %13 : !ktdp.access_tile<1x1xindex> -> tensor<1x1xi32>
      %15 = tensor.extract %14[%cst_0, %cst_0] : tensor<1x1xi32>
      %16 = arith.index_cast %15 : i32 to index
      %17 = ktdp.construct_access_tile %2[%16, 0, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 15 >= 0, d2 >= 0, -d2 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<8x16x32xf16> -> !ktdp.access_tile<1x16x32xindex>
      %18 = ktdp.load %17 : !ktdp.access_tile<1x16x32xindex> -> tensor<1x16x32xf16>
      %19 = tensor.collapse_shape %18 [[0, 1], [2]] : tensor<1x16x32xf16> into tensor<16x32xf16>
      %20 = arith.extf %19 : tensor<16x32xf16> to tensor<16x32xf32>
      %21 = arith.mulf %20, %11 : tensor<16x32xf32>
      %22 = linalg.reduce { arith.addf } ins(%21 : tensor<16x32xf32>) outs(%cst_3 : tensor<16xf32>) dimensions = [1]
      %23 = tensor.expand_shape %22 [[0, 1]] output_shape [1, 16] : tensor<16xf32> into tensor<1x16xf32>
      %24 = arith.muli %i12, %cst_4 : index
      %25 = ktdp.construct_access_tile %5[%1, %24] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 15 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<4x48xf32> -> !ktdp.access_tile<1x16xindex>
      ktdp.store %23, %25 : tensor<1x16xf32>, !ktdp.access_tile<1x16xindex>
    }
    return
  }
}
