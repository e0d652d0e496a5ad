// Indices computed by the kernel are not needed: an index view of two dimensions read with a transposed subscript.
module {
  func.func @gather_2d_index(%table: index, %ids: index, %out: index) attributes {grid = [2]} {
    %me = ktdp.get_compute_tile_id : index
    %tablev = ktdp.construct_memory_view %table, sizes: [20, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 19 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<20x64xf16>
    %idsv = ktdp.construct_memory_view %ids, sizes: [4, 2, 3], strides: [6, 3, 1] {
      coordinate_set = affine_set<(i, j, k) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 1 >= 0, k >= 0, -k + 2 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<4x2x3xi64>
    %t1 = ktdp.construct_indirect_access_tile intermediate_variables(%a, %b, %c) %tablev[ind(%idsv[%me, %b, %a]), (%c)] {
      variables_space_set = affine_set<(i, j, k) : (i >= 0, -i + 2 >= 0, j >= 0, -j + 1 >= 0, k >= 0, -k + 63 >= 0)>,
      variables_space_order = affine_map<(i, j, k) -> (i, j, k)>
    } : memref<20x64xf16>, memref<4x2x3xi64> -> !ktdp.access_tile<3x2x64xindex>
    %d2 = ktdp.load %t1 : <3x2x64xindex> -> tensor<3x2x64xf16>
    %v3 = tensor.expand_shape %d2 [[0, 1], [2], [3]] output_shape [1, 3, 2, 64] : tensor<3x2x64xf16> into tensor<1x3x2x64xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [2, 3, 2, 64], strides: [384, 128, 64, 1] {
      coordinate_set = affine_set<(i, j, k, l) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 2 >= 0, k >= 0, -k + 1 >= 0, l >= 0, -l + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<2x3x2x64xf16>
    %t4 = ktdp.construct_access_tile %outv[%me, 0, 0, 0] {
      access_tile_set = affine_set<(i, j, k, l) : (i >= 0, -i + 0 >= 0, j >= 0, -j + 2 >= 0, k >= 0, -k + 1 >= 0, l >= 0, -l + 63 >= 0)>,
      access_tile_order = affine_map<(i, j, k, l) -> (i, j, k, l)>
    } : memref<2x3x2x64xf16> -> !ktdp.access_tile<1x3x2x64xindex>
    ktdp.store %v3, %t4 : tensor<1x3x2x64xf16>, <1x3x2x64xindex>
    return
  }
}
