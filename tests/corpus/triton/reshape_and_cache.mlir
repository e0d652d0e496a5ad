// vLLM reshape_and_cache: key cache [blocks, heads, d/8, bs, 8], value cache [blocks, heads, d, bs]
module {
  func.func @reshape_and_cache(%key: index, %val: index, %kc: index, %vc: index, %slots: index) attributes {grid = [6]} {
    %cst_0 = arith.constant 0 : index
    %cst_1 = arith.constant 4 : i64
    %cst_2 = arith.constant 0 : i64
    %1 = ktdp.get_compute_tile_id : index
    %2 = ktdp.construct_memory_view %key, sizes: [6, 2, 16], strides: [32, 16, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 5 >= 0, d1 >= 0, -d1 + 1 >= 0, d2 >= 0, -d2 + 15 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<6x2x16xf16>
    %3 = ktdp.construct_memory_view %val, sizes: [6, 2, 16], strides: [32, 16, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 5 >= 0, d1 >= 0, -d1 + 1 >= 0, d2 >= 0, -d2 + 15 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<6x2x16xf16>
    %4 = ktdp.construct_memory_view %kc, sizes: [4, 2, 2, 4, 8], strides: [128, 64, 32, 8, 1] {coordinate_set = affine_set<(d0, d1, d2, d3, d4) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 1 >= 0, d2 >= 0, -d2 + 1 >= 0, d3 >= 0, -d3 + 3 >= 0, d4 >= 0, -d4 + 7 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x2x2x4x8xf16>
    %5 = ktdp.construct_memory_view %vc, sizes: [4, 2, 16, 4], strides: [128, 64, 4, 1] {coordinate_set = affine_set<(d0, d1, d2, d3) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 1 >= 0, d2 >= 0, -d2 + 15 >= 0, d3 >= 0, -d3 + 3 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x2x16x4xf16>
    %6 = ktdp.construct_memory_view %slots, sizes: [6], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 5 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<6xi64>
    %7 = ktdp.construct_access_tile %6[%1] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<6xi64> -> !ktdp.access_tile<1xindex>
    %8 = ktdp.load %7 : !ktdp.access_tile<1xindex> -> tensor<1xi64>
    %9 = tensor.extract %8[%cst_0] : tensor<1xi64>
    %10 = arith.index_cast %1 : index to i64
    %11 = arith.divsi %10, %cst_1 : i64
    %12 = arith.remsi %10, %cst_1 : i64
    %13 = arith.cmpi sge, %9, %cst_2 : i64
    %14 = arith.index_cast %11 : i64 to index
    %15 = arith.index_cast %12 : i64 to index
    %16 = ktdp.construct_access_tile %2[%1, 0, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 1 >= 0, d2 >= 0, -d2 + 15 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<6x2x16xf16> -> !ktdp.access_tile<1x2x16xindex>
    %17 = ktdp.load %16 : !ktdp.access_tile<1x2x16xindex> -> tensor<1x2x16xf16>
    %18 = ktdp.construct_access_tile %3[%1, 0, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 1 >= 0, d2 >= 0, -d2 + 15 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<6x2x16xf16> -> !ktdp.access_tile<1x2x16xindex>
    %19 = ktdp.load %18 : !ktdp.access_tile<1x2x16xindex> -> tensor<1x2x16xf16>
    scf.if %13 {
      %20 = tensor.expand_shape %17 [[0], [1], [2, 3, 4]] output_shape [1, 2, 2, 1, 8] : tensor<1x2x16xf16> into tensor<1x2x2x1x8xf16>
      %21 = ktdp.construct_access_tile %4[%14, 0, 0, %15, 0] {access_tile_set = affine_set<(d0, d1, d2, d3, d4) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 1 >= 0, d2 >= 0, -d2 + 1 >= 0, d3 >= 0, -d3 + 0 >= 0, d4 >= 0, -d4 + 7 >= 0)>, access_tile_order = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>} : memref<4x2x2x4x8xf16> -> !ktdp.access_tile<1x2x2x1x8xindex>
      ktdp.store %20, %21 : tensor<1x2x2x1x8xf16>, !ktdp.access_tile<1x2x2x1x8xindex>
      %22 = tensor.expand_shape %19 [[0], [1], [2, 3]] output_shape [1, 2, 16, 1] : tensor<1x2x16xf16> into tensor<1x2x16x1xf16>
      %23 = ktdp.construct_access_tile %5[%14, 0, 0, %15] {access_tile_set = affine_set<(d0, d1, d2, d3) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 1 >= 0, d2 >= 0, -d2 + 15 >= 0, d3 >= 0, -d3 + 0 >= 0)>, access_tile_order = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>} : memref<4x2x16x4xf16> -> !ktdp.access_tile<1x2x16x1xindex>
      ktdp.store %22, %23 : tensor<1x2x16x1xf16>, !ktdp.access_tile<1x2x16x1xindex>
    }
    return
  }
}
