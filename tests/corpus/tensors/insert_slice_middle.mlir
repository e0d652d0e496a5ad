// A slice is overwritten in a loaded tensor (tensor.insert_slice), in the middle of a row.
module {
  func.func @insert_slice_middle(%x: index, %y: index, %out: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [32, 128], strides: [128, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 31 >= 0, j >= 0, -j + 127 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32x128xf16>
    %t1 = ktdp.construct_access_tile %xv[%me * 8, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 127 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<32x128xf16> -> !ktdp.access_tile<8x128xindex>
    %d2 = ktdp.load %t1 : <8x128xindex> -> tensor<8x128xf16>
    %yv = ktdp.construct_memory_view %y, sizes: [32, 32], strides: [32, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 31 >= 0, j >= 0, -j + 31 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32x32xf16>
    %t3 = ktdp.construct_access_tile %yv[%me * 8, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 31 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<32x32xf16> -> !ktdp.access_tile<8x32xindex>
    %d4 = ktdp.load %t3 : <8x32xindex> -> tensor<8x32xf16>
    %v5 = math.exp %d4 : tensor<8x32xf16>
    %v6 = tensor.insert_slice %v5 into %d2[0, 48] [8, 32] [1, 1] : tensor<8x32xf16> into tensor<8x128xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [32, 128], strides: [128, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 31 >= 0, j >= 0, -j + 127 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32x128xf16>
    %t7 = ktdp.construct_access_tile %outv[%me * 8, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 127 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<32x128xf16> -> !ktdp.access_tile<8x128xindex>
    ktdp.store %v6, %t7 : tensor<8x128xf16>, <8x128xindex>
    return
  }
}
