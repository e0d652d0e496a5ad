// Rows scattered through an index view where a flag of the tile says so, else copied in order
module {
  func.func @scatter_rows_where(%flag: index, %dst: index, %x: index, %y: index) attributes {grid = [3]} {
    %cst_0 = arith.constant 4 : index
    %cst_1 = arith.constant 0 : index
    %cst_2 = arith.constant 3 : i32
    %1 = ktdp.get_compute_tile_id : index
    %2 = ktdp.construct_memory_view %flag, sizes: [3], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 2 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<3xi32>
    %3 = ktdp.construct_memory_view %dst, sizes: [12], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 11 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<12xi32>
    %4 = ktdp.construct_memory_view %x, sizes: [12, 33], strides: [33, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 11 >= 0, d1 >= 0, -d1 + 32 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<12x33xf32>
    %5 = ktdp.construct_memory_view %y, sizes: [12, 33], strides: [33, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 11 >= 0, d1 >= 0, -d1 + 32 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<12x33xf32>
    %6 = arith.muli %1, %cst_0 : index
    %7 = ktdp.construct_access_tile %4[%6, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 32 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<12x33xf32> -> !ktdp.access_tile<4x33xindex>
    %8 = ktdp.load %7 : !ktdp.access_tile<4x33xindex> -> tensor<4x33xf32>
    %9 = ktdp.construct_access_tile %2[%1] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<3xi32> -> !ktdp.access_tile<1xindex>
    %10 = ktdp.load %9 : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %11 = tensor.extract %10[%cst_1] : tensor<1xi32>
    %12 = arith.cmpi sgt, %11, %cst_2 : i32
    scf.if %12 {
      %13 = ktdp.construct_indirect_access_tile intermediate_variables(%i, %j) %5[ind(%3[%6 + %i]), (%j)] {variables_space_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 32 >= 0)>, variables_space_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<12x33xf32>, memref<12xi32> -> !ktdp.access_tile<4x33xindex>
      ktdp.store %8, %13 : tensor<4x33xf32>, !ktdp.access_tile<4x33xindex>
    }
    return
  }
}
