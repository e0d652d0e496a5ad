// Embedding at size: 16384 rows of 128 bytes over 32 tiles.
module {
  func.func @embedding_16384(%table: index, %ids: index, %out: index) attributes {grid = [32]} {
    %me = ktdp.get_compute_tile_id : index
    %tablev = ktdp.construct_memory_view %table, sizes: [30000, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 29999 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<30000x64xf16>
    %idsv = ktdp.construct_memory_view %ids, sizes: [16384], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 16383 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<16384xi32>
    %c1 = arith.constant 512 : index
    %v2 = arith.muli %me, %c1 : index
    %t3 = ktdp.construct_indirect_access_tile intermediate_variables(%r, %c) %tablev[ind(%idsv[%v2 + %r]), (%c)] {
      variables_space_set = affine_set<(i, j) : (i >= 0, -i + 511 >= 0, j >= 0, -j + 63 >= 0)>,
      variables_space_order = affine_map<(i, j) -> (i, j)>
    } : memref<30000x64xf16>, memref<16384xi32> -> !ktdp.access_tile<512x64xindex>
    %d4 = ktdp.load %t3 : <512x64xindex> -> tensor<512x64xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [16384, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 16383 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<16384x64xf16>
    %t5 = ktdp.construct_access_tile %outv[%me * 512, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 511 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<16384x64xf16> -> !ktdp.access_tile<512x64xindex>
    ktdp.store %d4, %t5 : tensor<512x64xf16>, <512x64xindex>
    return
  }
}
