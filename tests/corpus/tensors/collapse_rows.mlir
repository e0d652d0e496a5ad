// A 4x64 tile becomes one row of 256: tensor.collapse_shape of two dimensions of extent > 1.
module {
  func.func @collapse_rows(%x: index, %out: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [16, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<16x64xf16>
    %t1 = ktdp.construct_access_tile %xv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<16x64xf16> -> !ktdp.access_tile<4x64xindex>
    %d2 = ktdp.load %t1 : <4x64xindex> -> tensor<4x64xf16>
    %v3 = tensor.collapse_shape %d2 [[0, 1]] : tensor<4x64xf16> into tensor<256xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [1024], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 1023 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<1024xf16>
    %t4 = ktdp.construct_access_tile %outv[%me * 256] {
      access_tile_set = affine_set<(i) : (i >= 0, -i + 255 >= 0)>,
      access_tile_order = affine_map<(i) -> (i)>
    } : memref<1024xf16> -> !ktdp.access_tile<256xindex>
    ktdp.store %v3, %t4 : tensor<256xf16>, <256xindex>
    return
  }
}
