// Embedding: rows of a table chosen by indices, 16 rows a tile.
module {
  func.func @embedding(%table: index, %ids: index, %out: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %tablev = ktdp.construct_memory_view %table, sizes: [50, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 49 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<50x64xf16>
    %idsv = ktdp.construct_memory_view %ids, sizes: [64], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<64xi32>
    %c1 = arith.constant 16 : index
    %v2 = arith.muli %me, %c1 : index
    %t3 = ktdp.construct_indirect_access_tile intermediate_variables(%r, %c) %tablev[ind(%idsv[%v2 + %r]), (%c)] {
      variables_space_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 63 >= 0)>,
      variables_space_order = affine_map<(i, j) -> (i, j)>
    } : memref<50x64xf16>, memref<64xi32> -> !ktdp.access_tile<16x64xindex>
    %d4 = ktdp.load %t3 : <16x64xindex> -> tensor<16x64xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [64, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 63 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<64x64xf16>
    %t5 = ktdp.construct_access_tile %outv[%me * 16, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<64x64xf16> -> !ktdp.access_tile<16x64xindex>
    ktdp.store %d4, %t5 : tensor<16x64xf16>, <16x64xindex>
    return
  }
}
