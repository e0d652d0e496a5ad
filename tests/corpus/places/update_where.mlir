// A row at a place from memory is updated where a condition from memory holds
module {
  func.func @update_where(%ids: index, %f: index, %x: index, %y: index) attributes {grid = [6]} {
    %v1 = ktdp.get_compute_tile_id : index
    %v2 = ktdp.construct_memory_view %ids, sizes: [6], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 5 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<6xi32>
    %v3 = ktdp.construct_memory_view %x, sizes: [6, 40], strides: [40, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 5 >= 0, d1 >= 0, -d1 + 39 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<6x40xf16>
    %v4 = ktdp.construct_memory_view %y, sizes: [12, 40], strides: [40, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 11 >= 0, d1 >= 0, -d1 + 39 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<12x40xf16>
    %v5 = ktdp.construct_access_tile %v2[%v1] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<6xi32> -> !ktdp.access_tile<1xindex>
    %v6 = ktdp.load %v5 : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %v7 = arith.constant 0 : index
    %v8 = tensor.extract %v6[%v7] : tensor<1xi32>
    %v9 = arith.index_cast %v8 : i32 to index
    %v10 = ktdp.construct_memory_view %f, sizes: [6], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 5 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<6xi32>
    %v11 = ktdp.construct_access_tile %v10[%v1] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<6xi32> -> !ktdp.access_tile<1xindex>
    %v12 = ktdp.load %v11 : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %v13 = arith.constant 0 : index
    %v14 = tensor.extract %v12[%v13] : tensor<1xi32>
    %v15 = arith.constant 3 : i32
    %v16 = arith.cmpi sge, %v14, %v15 : i32
    scf.if %v16 {
      %v17 = ktdp.construct_access_tile %v4[%v9, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 39 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<12x40xf16> -> !ktdp.access_tile<1x40xindex>
      %v18 = ktdp.load %v17 : !ktdp.access_tile<1x40xindex> -> tensor<1x40xf16>
      %v19 = ktdp.construct_access_tile %v3[%v1, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 39 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<6x40xf16> -> !ktdp.access_tile<1x40xindex>
      %v20 = ktdp.load %v19 : !ktdp.access_tile<1x40xindex> -> tensor<1x40xf16>
      %v21 = arith.addf %v18, %v20 : tensor<1x40xf16>
      %v22 = ktdp.construct_access_tile %v4[%v9, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 39 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<12x40xf16> -> !ktdp.access_tile<1x40xindex>
      ktdp.store %v21, %v22 : tensor<1x40xf16>, !ktdp.access_tile<1x40xindex>
    }
    return
  }
}
