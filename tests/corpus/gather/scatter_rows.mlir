// Scatter: rows are stored to the places that an index vector names (a permutation).
module {
  func.func @scatter_rows(%x: index, %ids: index, %out: index) attributes {grid = [1]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [8, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<8x64xf16>
    %t1 = ktdp.construct_access_tile %xv[%me * 8, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<8x64xf16> -> !ktdp.access_tile<8x64xindex>
    %d2 = ktdp.load %t1 : <8x64xindex> -> tensor<8x64xf16>
    %idsv = ktdp.construct_memory_view %ids, sizes: [8], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 7 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<8xi32>
    %outv = ktdp.construct_memory_view %out, sizes: [20, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 19 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<20x64xf16>
    %t3 = ktdp.construct_indirect_access_tile intermediate_variables(%r, %c) %outv[ind(%idsv[%r]), (%c)] {
      variables_space_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      variables_space_order = affine_map<(i, j) -> (i, j)>
    } : memref<20x64xf16>, memref<8xi32> -> !ktdp.access_tile<8x64xindex>
    %v4 = math.exp %d2 : tensor<8x64xf16>
    ktdp.store %v4, %t3 : tensor<8x64xf16>, <8x64xindex>
    return
  }
}
