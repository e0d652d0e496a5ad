// Rows stored at slots of a number known at launch, which the last tile overhangs: rows without a slot are not stored.
module {
  func.func @scatter_slots_tail(%n: !ktdp.runtime_arg<index, granularity=1, upperbound=12>, %x: index, %slots: index, %cache: index) attributes {grid = [3]} {
    %me = ktdp.get_compute_tile_id : index
    %count = ktdp.runtime_arg_extract value from %n : <index, granularity=1, upperbound=12> -> index
    %c4 = arith.constant 4 : index
    %first = arith.muli %me, %c4 : index
    %xv = ktdp.construct_memory_view %x, sizes: [12, 16], strides: [16, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 11 >= 0, j >= 0, -j + 15 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<12x16xf16>
    %sv = ktdp.construct_memory_view %slots, sizes: [%count], strides: [1] {
      coordinate_set = affine_set<(i)[s0] : (i >= 0, -i + s0 - 1 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<?xi32>
    %cv = ktdp.construct_memory_view %cache, sizes: [64, 16], strides: [16, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 63 >= 0, j >= 0, -j + 15 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<64x16xf16>
    %xt = ktdp.construct_access_tile %xv[%first, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 15 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<12x16xf16> -> !ktdp.access_tile<4x16xindex>
    %a = ktdp.load %xt : <4x16xindex> -> tensor<4x16xf16>
    %b = arith.addf %a, %a : tensor<4x16xf16>
    %ct = ktdp.construct_indirect_access_tile intermediate_variables(%i, %j) %cv[ind(%sv[%first + %i]), (%j)] {
      variables_space_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 15 >= 0)>,
      variables_space_order = affine_map<(i, j) -> (i, j)>
    } : memref<64x16xf16>, memref<?xi32> -> !ktdp.access_tile<4x16xindex>
    ktdp.store %b, %ct : tensor<4x16xf16>, <4x16xindex>
    return
  }
}
