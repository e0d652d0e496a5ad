// Gather along the columns: out[i, j] = x[i, idx[j]].
module {
  func.func @gather_columns(%x: index, %ids: index, %out: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [16, 100], strides: [100, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 99 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<16x100xf32>
    %idsv = ktdp.construct_memory_view %ids, sizes: [32], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 31 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32xi32>
    %c1 = arith.constant 4 : index
    %v2 = arith.muli %me, %c1 : index
    %t3 = ktdp.construct_indirect_access_tile intermediate_variables(%r, %c) %xv[(%v2 + %r), ind(%idsv[%c])] {
      variables_space_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 31 >= 0)>,
      variables_space_order = affine_map<(i, j) -> (i, j)>
    } : memref<16x100xf32>, memref<32xi32> -> !ktdp.access_tile<4x32xindex>
    %d4 = ktdp.load %t3 : <4x32xindex> -> tensor<4x32xf32>
    %outv = ktdp.construct_memory_view %out, sizes: [16, 32], strides: [32, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 31 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<16x32xf32>
    %t5 = ktdp.construct_access_tile %outv[%v2, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 31 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<16x32xf32> -> !ktdp.access_tile<4x32xindex>
    ktdp.store %d4, %t5 : tensor<4x32xf32>, <4x32xindex>
    return
  }
}
