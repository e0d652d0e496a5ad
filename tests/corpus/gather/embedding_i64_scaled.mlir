// Embedding with i64 indices and rows of 300 elements, scaled.
module {
  func.func @embedding_i64_scaled(%table: index, %ids: index, %out: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %tablev = ktdp.construct_memory_view %table, sizes: [50, 300], strides: [300, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 49 >= 0, j >= 0, -j + 299 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<50x300xf16>
    %idsv = ktdp.construct_memory_view %ids, sizes: [20], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 19 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<20xi64>
    %c1 = arith.constant 5 : index
    %v2 = arith.muli %me, %c1 : index
    %t3 = ktdp.construct_indirect_access_tile intermediate_variables(%r, %c) %tablev[ind(%idsv[%v2 + %r]), (%c)] {
      variables_space_set = affine_set<(i, j) : (i >= 0, -i + 4 >= 0, j >= 0, -j + 299 >= 0)>,
      variables_space_order = affine_map<(i, j) -> (i, j)>
    } : memref<50x300xf16>, memref<20xi64> -> !ktdp.access_tile<5x300xindex>
    %d4 = ktdp.load %t3 : <5x300xindex> -> tensor<5x300xf16>
    %v5 = arith.constant dense<2.0> : tensor<5x300xf16>
    %v6 = arith.mulf %d4, %v5 : tensor<5x300xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [20, 300], strides: [300, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 19 >= 0, j >= 0, -j + 299 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<20x300xf16>
    %t7 = ktdp.construct_access_tile %outv[%me * 5, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 4 >= 0, j >= 0, -j + 299 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<20x300xf16> -> !ktdp.access_tile<5x300xindex>
    ktdp.store %v6, %t7 : tensor<5x300xf16>, <5x300xindex>
    return
  }
}
