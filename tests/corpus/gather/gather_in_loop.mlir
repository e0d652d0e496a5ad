// A loop over blocks of indices, each block gathered.
module {
  func.func @gather_in_loop(%table: index, %ids: index, %out: index) attributes {grid = [2]} {
    %me = ktdp.get_compute_tile_id : index
    %tablev = ktdp.construct_memory_view %table, sizes: [30, 128], strides: [128, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 29 >= 0, j >= 0, -j + 127 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<30x128xf16>
    %idsv = ktdp.construct_memory_view %ids, sizes: [2, 3, 8], strides: [24, 8, 1] {
      coordinate_set = affine_set<(i, j, k) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 2 >= 0, k >= 0, -k + 7 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<2x3x8xi32>
    %outv = ktdp.construct_memory_view %out, sizes: [2, 3, 8, 128], strides: [3072, 1024, 128, 1] {
      coordinate_set = affine_set<(i, j, k, l) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 2 >= 0, k >= 0, -k + 7 >= 0, l >= 0, -l + 127 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<2x3x8x128xf16>
    %c1 = arith.constant 0 : index
    %c2 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    scf.for %b = %c1 to %c3 step %c2 {
      %t4 = ktdp.construct_indirect_access_tile intermediate_variables(%r, %c) %tablev[ind(%idsv[%me, %b, %r]), (%c)] {
        variables_space_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 127 >= 0)>,
        variables_space_order = affine_map<(i, j) -> (i, j)>
      } : memref<30x128xf16>, memref<2x3x8xi32> -> !ktdp.access_tile<8x128xindex>
      %d5 = ktdp.load %t4 : <8x128xindex> -> tensor<8x128xf16>
      %v6 = math.absf %d5 : tensor<8x128xf16>
      %v7 = tensor.expand_shape %v6 [[0, 1, 2], [3]] output_shape [1, 1, 8, 128] : tensor<8x128xf16> into tensor<1x1x8x128xf16>
      %t8 = ktdp.construct_access_tile %outv[%me, %b, 0, 0] {
        access_tile_set = affine_set<(i, j, k, l) : (i >= 0, -i + 0 >= 0, j >= 0, -j + 0 >= 0, k >= 0, -k + 7 >= 0, l >= 0, -l + 127 >= 0)>,
        access_tile_order = affine_map<(i, j, k, l) -> (i, j, k, l)>
      } : memref<2x3x8x128xf16> -> !ktdp.access_tile<1x1x8x128xindex>
      ktdp.store %v7, %t8 : tensor<1x1x8x128xf16>, <1x1x8x128xindex>
    }
    return
  }
}
