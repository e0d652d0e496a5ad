// A gather whose rows are read transposed (order map of the variables).
module {
  func.func @gather_transposed(%table: index, %ids: index, %out: index) attributes {grid = [2]} {
    %me = ktdp.get_compute_tile_id : index
    %tablev = ktdp.construct_memory_view %table, sizes: [20, 32], strides: [32, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 19 >= 0, j >= 0, -j + 31 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<20x32xf32>
    %idsv = ktdp.construct_memory_view %ids, sizes: [32], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 31 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32xi32>
    %c1 = arith.constant 16 : index
    %v2 = arith.muli %me, %c1 : index
    %t3 = ktdp.construct_indirect_access_tile intermediate_variables(%r, %c) %tablev[ind(%idsv[%v2 + %r]), (%c)] {
      variables_space_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 31 >= 0)>,
      variables_space_order = affine_map<(i, j) -> (j, i)>
    } : memref<20x32xf32>, memref<32xi32> -> !ktdp.access_tile<32x16xindex>
    %d4 = ktdp.load %t3 : <32x16xindex> -> tensor<32x16xf32>
    %outv = ktdp.construct_memory_view %out, sizes: [64, 16], strides: [16, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 63 >= 0, j >= 0, -j + 15 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<64x16xf32>
    %t5 = ktdp.construct_access_tile %outv[%me * 32, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 31 >= 0, j >= 0, -j + 15 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<64x16xf32> -> !ktdp.access_tile<32x16xindex>
    ktdp.store %d4, %t5 : tensor<32x16xf32>, <32x16xindex>
    return
  }
}
