// An interior window of a loaded tile: extract_slice with offsets in both dimensions and a dropped dimension.
module {
  func.func @slice_window(%x: index, %out: index) attributes {grid = [4]} {
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
    %v3 = tensor.extract_slice %d2[3, 17] [1, 100] [1, 1] : tensor<8x128xf16> to tensor<100xf16>
    %v4 = tensor.expand_shape %v3 [[0, 1]] output_shape [1, 100] : tensor<100xf16> into tensor<1x100xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [4, 100], strides: [100, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 99 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<4x100xf16>
    %t5 = ktdp.construct_access_tile %outv[%me, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 0 >= 0, j >= 0, -j + 99 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<4x100xf16> -> !ktdp.access_tile<1x100xindex>
    ktdp.store %v4, %t5 : tensor<1x100xf16>, <1x100xindex>
    return
  }
}
