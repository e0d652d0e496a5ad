// A row is cleared where its label is the ignored one, scaled elsewhere; nested condition on the tile
module {
  func.func @ignore_index_store(%x: index, %lab: index, %y: index) attributes {grid = [6]} {
    %cst_0 = arith.constant 0 : index
    %cst_1 = arith.constant 3 : i32
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<1x90xf16>
    %cst_3 = arith.constant 2 : index
    %cst_4 = arith.constant 1 : index
    %cst_5 = arith.constant dense<2.000000e+00> : tensor<1x90xf16>
    %1 = ktdp.get_compute_tile_id : index
    %2 = ktdp.construct_memory_view %x, sizes: [6, 90], strides: [90, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 5 >= 0, d1 >= 0, -d1 + 89 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<6x90xf16>
    %3 = ktdp.construct_memory_view %y, sizes: [6, 90], strides: [90, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 5 >= 0, d1 >= 0, -d1 + 89 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<6x90xf16>
    %4 = ktdp.construct_memory_view %lab, sizes: [6], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 5 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<6xi32>
    %5 = ktdp.construct_access_tile %4[%1] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<6xi32> -> !ktdp.access_tile<1xindex>
    %6 = ktdp.load %5 : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %7 = tensor.extract %6[%cst_0] : tensor<1xi32>
    %8 = arith.cmpi sgt, %7, %cst_1 : i32
    scf.if %8 {
      %9 = ktdp.construct_access_tile %3[%1, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 89 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<6x90xf16> -> !ktdp.access_tile<1x90xindex>
      ktdp.store %cst_2, %9 : tensor<1x90xf16>, !ktdp.access_tile<1x90xindex>
    }
    %10 = arith.cmpi sle, %7, %cst_1 : i32
    scf.if %10 {
      %11 = arith.remsi %1, %cst_3 : index
      %12 = arith.cmpi eq, %11, %cst_4 : index
      scf.if %12 {
        %13 = ktdp.construct_access_tile %2[%1, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 89 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<6x90xf16> -> !ktdp.access_tile<1x90xindex>
        %14 = ktdp.load %13 : !ktdp.access_tile<1x90xindex> -> tensor<1x90xf16>
        %15 = arith.mulf %14, %cst_5 : tensor<1x90xf16>
        %16 = ktdp.construct_access_tile %3[%1, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 89 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<6x90xf16> -> !ktdp.access_tile<1x90xindex>
        ktdp.store %15, %16 : tensor<1x90xf16>, !ktdp.access_tile<1x90xindex>
      }
    }
    return
  }
}
