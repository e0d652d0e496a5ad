// Embedding backward: rows of the gradient added to rows of the table, one after the other
module {
  func.func @embedding_backward(%ids: index, %dy: index, %dw: index) attributes {grid = [1]} {
    %cst_0 = arith.constant 0 : index
    %cst_1 = arith.constant 9 : index
    %cst_2 = arith.constant 1 : index
    %1 = ktdp.get_compute_tile_id : index
    %2 = ktdp.construct_memory_view %ids, sizes: [9], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 8 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<9xi32>
    %3 = ktdp.construct_memory_view %dy, sizes: [9, 40], strides: [40, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 8 >= 0, d1 >= 0, -d1 + 39 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<9x40xf32>
    %4 = ktdp.construct_memory_view %dw, sizes: [12, 40], strides: [40, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 11 >= 0, d1 >= 0, -d1 + 39 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<12x40xf32>
    scf.for %i5 = %cst_0 to %cst_1 step %cst_2 {
      %6 = ktdp.construct_access_tile %3[%i5, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 39 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<9x40xf32> -> !ktdp.access_tile<1x40xindex>
      %7 = ktdp.load %6 : !ktdp.access_tile<1x40xindex> -> tensor<1x40xf32>
      %8 = ktdp.construct_access_tile %2[%i5] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<9xi32> -> !ktdp.access_tile<1xindex>
      %9 = ktdp.load %8 : !ktdp.access_tile<1xindex> -> tensor<1xi32>
      %10 = tensor.extract %9[%cst_0] : tensor<1xi32>
      %11 = arith.index_cast %10 : i32 to index
      %12 = ktdp.construct_access_tile %4[%11, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 39 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<12x40xf32> -> !ktdp.access_tile<1x40xindex>
      %13 = ktdp.load %12 : !ktdp.access_tile<1x40xindex> -> tensor<1x40xf32>
      %14 = arith.addf %13, %7 : tensor<1x40xf32>
      %15 = ktdp.construct_access_tile %4[%11, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 39 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<12x40xf32> -> !ktdp.access_tile<1x40xindex>
      ktdp.store %14, %15 : tensor<1x40xf32>, !ktdp.access_tile<1x40xindex>
    }
    return
  }
}
