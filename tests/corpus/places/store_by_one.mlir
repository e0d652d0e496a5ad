// One of the tiles, which a number from memory tells, stores its row at the place of all
module {
  func.func @store_by_one(%ids: index, %f: index, %x: index, %y: index) attributes {grid = [6]} {
    %v1 = ktdp.get_compute_tile_id : index
    %v2 = ktdp.construct_memory_view %ids, sizes: [6], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 5 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<6xi32>
    %v3 = ktdp.construct_memory_view %x, sizes: [6, 40], strides: [40, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 5 >= 0, d1 >= 0, -d1 + 39 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<6x40xf16>
    %v4 = ktdp.construct_memory_view %y, sizes: [12, 40], strides: [40, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 11 >= 0, d1 >= 0, -d1 + 39 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<12x40xf16>
    %v5 = ktdp.construct_access_tile %v2[%v1] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<6xi32> -> !ktdp.access_tile<1xindex>
    %v6 = ktdp.load %v5 : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %v7 = arith.constant 0 : index
    %v8 = tensor.extract %v6[%v7] : tensor<1xi32>
    %v9 = ktdp.construct_memory_view %f, sizes: [6], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 5 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<6xi32>
    %v10 = ktdp.construct_access_tile %v9[%v1] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<6xi32> -> !ktdp.access_tile<1xindex>
    %v11 = ktdp.load %v10 : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %v12 = arith.constant 0 : index
    %v13 = tensor.extract %v11[%v12] : tensor<1xi32>
    %v14 = arith.constant 0 : i32
    %v15 = arith.constant 3 : i32
    %v16 = arith.cmpi eq, %v8, %v15 : i32
    scf.if %v16 {
      %v17 = ktdp.construct_access_tile %v3[%v1, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 39 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<6x40xf16> -> !ktdp.access_tile<1x40xindex>
      %v18 = ktdp.load %v17 : !ktdp.access_tile<1x40xindex> -> tensor<1x40xf16>
      %v19 = arith.addf %v18, %v18 : tensor<1x40xf16>
      %v20 = arith.constant 0 : index
      %v21 = ktdp.construct_access_tile %v4[%v20, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 39 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<12x40xf16> -> !ktdp.access_tile<1x40xindex>
      ktdp.store %v19, %v21 : tensor<1x40xf16>, !ktdp.access_tile<1x40xindex>
    }
    return
  }
}
