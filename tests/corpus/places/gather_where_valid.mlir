// A row is looked up where its number is not negative; other rows of the result stay as they are
module {
  func.func @gather_where_valid(%ids: index, %table: index, %y: index) attributes {grid = [5]} {
    %cst_0 = arith.constant 0 : index
    %cst_1 = arith.constant 0 : i32
    %cst_2 = arith.constant dense<2.000000e+00> : tensor<1x40xf32>
    %1 = ktdp.get_compute_tile_id : index
    %2 = ktdp.construct_memory_view %ids, sizes: [5], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 4 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<5xi32>
    %3 = ktdp.construct_memory_view %table, sizes: [8, 40], strides: [40, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 39 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<8x40xf32>
    %4 = ktdp.construct_memory_view %y, sizes: [5, 40], strides: [40, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 4 >= 0, d1 >= 0, -d1 + 39 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<5x40xf32>
    %5 = ktdp.construct_access_tile %2[%1] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<5xi32> -> !ktdp.access_tile<1xindex>
    %6 = ktdp.load %5 : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %7 = tensor.extract %6[%cst_0] : tensor<1xi32>
    %8 = arith.cmpi sge, %7, %cst_1 : i32
    scf.if %8 {
      %9 = arith.index_cast %7 : i32 to index
      %10 = ktdp.construct_access_tile %3[%9, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 39 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<8x40xf32> -> !ktdp.access_tile<1x40xindex>
      %11 = ktdp.load %10 : !ktdp.access_tile<1x40xindex> -> tensor<1x40xf32>
      %12 = arith.mulf %11, %cst_2 : tensor<1x40xf32>
      %13 = ktdp.construct_access_tile %4[%1, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 39 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<5x40xf32> -> !ktdp.access_tile<1x40xindex>
      ktdp.store %12, %13 : tensor<1x40xf32>, !ktdp.access_tile<1x40xindex>
    }
    return
  }
}
