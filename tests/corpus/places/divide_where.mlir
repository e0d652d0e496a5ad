// A quotient of numbers from memory, where the divisor is not zero
module {
  func.func @divide_where(%ids: index, %f: index, %x: index, %y: index) attributes {grid = [6]} {
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
    %v15 = arith.cmpi sgt, %v13, %v14 : i32
    scf.if %v15 {
      %v16 = arith.divsi %v8, %v13 : i32
      %v17 = tensor.splat %v16 : tensor<1x40xi32>
      %v18 = arith.sitofp %v17 : tensor<1x40xi32> to tensor<1x40xf16>
      %v19 = ktdp.construct_access_tile %v3[%v1, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 39 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<6x40xf16> -> !ktdp.access_tile<1x40xindex>
      %v20 = ktdp.load %v19 : !ktdp.access_tile<1x40xindex> -> tensor<1x40xf16>
      %v21 = arith.addf %v20, %v18 : tensor<1x40xf16>
      %v22 = ktdp.construct_access_tile %v4[%v1, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 39 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<12x40xf16> -> !ktdp.access_tile<1x40xindex>
      ktdp.store %v21, %v22 : tensor<1x40xf16>, !ktdp.access_tile<1x40xindex>
    }
    return
  }
}
