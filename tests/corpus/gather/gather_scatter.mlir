// Gathered rows are added and scattered to other rows (indices in and out).
module {
  func.func @gather_scatter(%table: index, %ids: index, %to: index, %out: index, %bias: index) attributes {grid = [1]} {
    %me = ktdp.get_compute_tile_id : index
    %tablev = ktdp.construct_memory_view %table, sizes: [40, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 39 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<40x64xf32>
    %idsv = ktdp.construct_memory_view %ids, sizes: [16], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 15 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<16xi32>
    %tov = ktdp.construct_memory_view %to, sizes: [16], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 15 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<16xi32>
    %outv = ktdp.construct_memory_view %out, sizes: [64, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 63 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<64x64xf32>
    %c1 = arith.constant 8 : index
    %v2 = arith.muli %me, %c1 : index
    %t3 = ktdp.construct_indirect_access_tile intermediate_variables(%r, %c) %tablev[ind(%idsv[%v2 + %r]), (%c)] {
      variables_space_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      variables_space_order = affine_map<(i, j) -> (i, j)>
    } : memref<40x64xf32>, memref<16xi32> -> !ktdp.access_tile<8x64xindex>
    %d4 = ktdp.load %t3 : <8x64xindex> -> tensor<8x64xf32>
    %biasv = ktdp.construct_memory_view %bias, sizes: [8, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<8x64xf32>
    %t5 = ktdp.construct_access_tile %biasv[%me * 8, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<8x64xf32> -> !ktdp.access_tile<8x64xindex>
    %d6 = ktdp.load %t5 : <8x64xindex> -> tensor<8x64xf32>
    %v7 = arith.addf %d4, %d6 : tensor<8x64xf32>
    %t8 = ktdp.construct_indirect_access_tile intermediate_variables(%r, %c) %outv[ind(%tov[%v2 + %r]), (%c)] {
      variables_space_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      variables_space_order = affine_map<(i, j) -> (i, j)>
    } : memref<64x64xf32>, memref<16xi32> -> !ktdp.access_tile<8x64xindex>
    ktdp.store %v7, %t8 : tensor<8x64xf32>, <8x64xindex>
    return
  }
}
