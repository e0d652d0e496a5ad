// vLLM reshape_and_cache_flash: one token a tile; slot -1 is padding
module {
  func.func @cache_write_negative_slots(%key: index, %slots: index, %cache: index) attributes {grid = [6]} {
    %cst_0 = arith.constant 0 : index
    %cst_1 = arith.constant 0 : i32
    %cst_2 = arith.constant 4 : i32
    %cst_3 = arith.constant dense<[1, 1, 2, 24]> : tensor<4xindex>
    %1 = ktdp.get_compute_tile_id : index
    %2 = ktdp.construct_memory_view %key, sizes: [6, 2, 24], strides: [48, 24, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 5 >= 0, d1 >= 0, -d1 + 1 >= 0, d2 >= 0, -d2 + 23 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<6x2x24xf16>
    %3 = ktdp.construct_memory_view %slots, sizes: [6], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 5 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<6xi32>
    %4 = ktdp.construct_memory_view %cache, sizes: [4, 4, 2, 24], strides: [192, 48, 24, 1] {coordinate_set = affine_set<(d0, d1, d2, d3) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 3 >= 0, d2 >= 0, -d2 + 1 >= 0, d3 >= 0, -d3 + 23 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x4x2x24xf16>
    %5 = ktdp.construct_access_tile %3[%1] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<6xi32> -> !ktdp.access_tile<1xindex>
    %6 = ktdp.load %5 : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %7 = tensor.extract %6[%cst_0] : tensor<1xi32>
    %8 = arith.cmpi sge, %7, %cst_1 : i32
    scf.if %8 {
      %9 = arith.divsi %7, %cst_2 : i32
      %10 = arith.index_cast %9 : i32 to index
      %11 = arith.remsi %7, %cst_2 : i32
      %12 = arith.index_cast %11 : i32 to index
      %13 = ktdp.construct_access_tile %2[%1, 0, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 1 >= 0, d2 >= 0, -d2 + 23 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<6x2x24xf16> -> !ktdp.access_tile<1x2x24xindex>
      %14 = ktdp.load %13 : !ktdp.access_tile<1x2x24xindex> -> tensor<1x2x24xf16>
      %15 = tensor.reshape %14(%cst_3) : (tensor<1x2x24xf16>, tensor<4xindex>) -> tensor<1x1x2x24xf16>
      %16 = ktdp.construct_access_tile %4[%10, %12, 0, 0] {access_tile_set = affine_set<(d0, d1, d2, d3) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 0 >= 0, d2 >= 0, -d2 + 1 >= 0, d3 >= 0, -d3 + 23 >= 0)>, access_tile_order = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>} : memref<4x4x2x24xf16> -> !ktdp.access_tile<1x1x2x24xindex>
      ktdp.store %15, %16 : tensor<1x1x2x24xf16>, !ktdp.access_tile<1x1x2x24xindex>
    }
    return
  }
}
