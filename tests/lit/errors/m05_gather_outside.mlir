// M05: rows that a table of indices names, read beyond their last column.
// RUN: not headrace run %s 2>&1 | filecheck %s
// CHECK: :15:11: error: an indirect access tile covers coordinates 0 to 47 of dimension 1, outside the view's extent of 36
// CHECK: :7:11: note: the view is made here
module {
  func.func @k(%x: index, %ids: index, %out: index) attributes {grid = [1]} {
    %xv = ktdp.construct_memory_view %x, sizes: [8, 36], strides: [36, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 35 >= 0)>, memory_space = #ktdp.memory_space<global>
    } : memref<8x36xf16>
    %iv = ktdp.construct_memory_view %ids, sizes: [4], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 3 >= 0)>, memory_space = #ktdp.memory_space<global>
    } : memref<4xi32>
    %ov = ktdp.construct_memory_view %out, sizes: [4, 48], strides: [48, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 47 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4x48xf16>
    %xt = ktdp.construct_indirect_access_tile intermediate_variables(%i, %j) %xv[ind(%iv[%i]), (%j)] {
      variables_space_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 47 >= 0)>, variables_space_order = affine_map<(i, j) -> (i, j)>
    } : memref<8x36xf16>, memref<4xi32> -> !ktdp.access_tile<4x48xindex>
    %ot = ktdp.construct_access_tile %ov[0, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 47 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<4x48xf16> -> !ktdp.access_tile<4x48xindex>
    %d = ktdp.load %xt : <4x48xindex> -> tensor<4x48xf16>
    ktdp.store %d, %ot : tensor<4x48xf16>, <4x48xindex>
    return
  }
}
