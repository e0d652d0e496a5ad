// A mask is stored as i1 and as i8.
module {
  func.func @store_mask(%x: index, %mask: index, %bytes: index) attributes {grid = [2]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [8, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<8x64xf32>
    %t1 = ktdp.construct_access_tile %xv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<8x64xf32> -> !ktdp.access_tile<4x64xindex>
    %d2 = ktdp.load %t1 : <4x64xindex> -> tensor<4x64xf32>
    %v3 = arith.constant dense<0.0> : tensor<4x64xf32>
    %v4 = arith.cmpf ogt, %d2, %v3 : tensor<4x64xf32>
    %maskv = ktdp.construct_memory_view %mask, sizes: [8, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<8x64xi1>
    %t5 = ktdp.construct_access_tile %maskv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<8x64xi1> -> !ktdp.access_tile<4x64xindex>
    ktdp.store %v4, %t5 : tensor<4x64xi1>, <4x64xindex>
    %v6 = arith.extui %v4 : tensor<4x64xi1> to tensor<4x64xi8>
    %bytesv = ktdp.construct_memory_view %bytes, sizes: [8, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<8x64xi8>
    %t7 = ktdp.construct_access_tile %bytesv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<8x64xi8> -> !ktdp.access_tile<4x64xindex>
    ktdp.store %v6, %t7 : tensor<4x64xi8>, <4x64xindex>
    return
  }
}
