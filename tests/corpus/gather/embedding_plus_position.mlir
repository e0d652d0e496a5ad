// Embedding plus a position table, summed (two operands, one of them gathered), f32.
module {
  func.func @embedding_plus_position(%table: index, %ids: index, %pos: index, %out: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %tablev = ktdp.construct_memory_view %table, sizes: [40, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 39 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<40x64xf32>
    %idsv = ktdp.construct_memory_view %ids, sizes: [32], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 31 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32xi32>
    %c1 = arith.constant 8 : index
    %v2 = arith.muli %me, %c1 : index
    %t3 = ktdp.construct_indirect_access_tile intermediate_variables(%r, %c) %tablev[ind(%idsv[%v2 + %r]), (%c)] {
      variables_space_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      variables_space_order = affine_map<(i, j) -> (i, j)>
    } : memref<40x64xf32>, memref<32xi32> -> !ktdp.access_tile<8x64xindex>
    %d4 = ktdp.load %t3 : <8x64xindex> -> tensor<8x64xf32>
    %posv = ktdp.construct_memory_view %pos, sizes: [32, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 31 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32x64xf32>
    %t5 = ktdp.construct_access_tile %posv[%me * 8, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<32x64xf32> -> !ktdp.access_tile<8x64xindex>
    %d6 = ktdp.load %t5 : <8x64xindex> -> tensor<8x64xf32>
    %v7 = arith.addf %d4, %d6 : tensor<8x64xf32>
    %outv = ktdp.construct_memory_view %out, sizes: [32, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 31 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32x64xf32>
    %t8 = ktdp.construct_access_tile %outv[%me * 8, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<32x64xf32> -> !ktdp.access_tile<8x64xindex>
    ktdp.store %v7, %t8 : tensor<8x64xf32>, <8x64xindex>
    return
  }
}
