// Rows of 36 gathered in blocks of 32 columns, as many as the padded rows of the result have: the last begins beyond.
#all = affine_set<(d0, d1)[s0, s1] : (d0 >= 0, -d0 + s0 - 1 >= 0, d1 >= 0, -d1 + s1 - 1 >= 0)>
#ids = affine_set<(d0) : (d0 >= 0, -d0 + 7 >= 0)>
#out = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 95 >= 0)>
#block = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 31 >= 0)>
#same = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @column_blocks_beyond(%table: index, %ids: index, %y: index) attributes {grid = [2]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    %c36 = arith.constant 36 : index
    %c50 = arith.constant 50 : index
    %pid = ktdp.get_compute_tile_id : index
    %row = arith.muli %pid, %c4 : index
    %tv = ktdp.construct_memory_view %table, sizes: [%c50, %c36], strides: [36, 1] {coordinate_set = #all, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<?x?xf16>
    %iv = ktdp.construct_memory_view %ids, sizes: [8], strides: [1] {coordinate_set = #ids, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<8xi32>
    %yv = ktdp.construct_memory_view %y, sizes: [8, 96], strides: [96, 1] {coordinate_set = #out, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<8x96xf16>
    scf.for %i = %c0 to %c3 step %c1 {
      %c = arith.muli %i, %c32 : index
      %g = ktdp.construct_indirect_access_tile intermediate_variables(%a, %b) %tv[ind(%iv[%row + %a]), (%c + %b)] {variables_space_set = #block, variables_space_order = #same} : memref<?x?xf16>, memref<8xi32> -> !ktdp.access_tile<4x32xindex>
      %v = ktdp.load %g : !ktdp.access_tile<4x32xindex> -> tensor<4x32xf16>
      %t = ktdp.construct_access_tile %yv[%row, %c] {access_tile_set = #block, access_tile_order = #same} : memref<8x96xf16> -> !ktdp.access_tile<4x32xindex>
      ktdp.store %v, %t : tensor<4x32xf16>, !ktdp.access_tile<4x32xindex>
    }
    return
  }
}
