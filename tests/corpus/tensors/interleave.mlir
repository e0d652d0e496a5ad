// Interleave two rows: reshape after a concat of expanded tensors.
module {
  func.func @interleave(%x: index, %y: index, %out: index) attributes {grid = [2]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [8, 32], strides: [32, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 31 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<8x32xf16>
    %t1 = ktdp.construct_access_tile %xv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 31 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<8x32xf16> -> !ktdp.access_tile<4x32xindex>
    %d2 = ktdp.load %t1 : <4x32xindex> -> tensor<4x32xf16>
    %yv = ktdp.construct_memory_view %y, sizes: [8, 32], strides: [32, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 31 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<8x32xf16>
    %t3 = ktdp.construct_access_tile %yv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 31 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<8x32xf16> -> !ktdp.access_tile<4x32xindex>
    %d4 = ktdp.load %t3 : <4x32xindex> -> tensor<4x32xf16>
    %v5 = tensor.expand_shape %d2 [[0], [1, 2]] output_shape [4, 32, 1] : tensor<4x32xf16> into tensor<4x32x1xf16>
    %v6 = tensor.expand_shape %d4 [[0], [1, 2]] output_shape [4, 32, 1] : tensor<4x32xf16> into tensor<4x32x1xf16>
    %v7 = tensor.concat dim(2) %v5, %v6 : (tensor<4x32x1xf16>, tensor<4x32x1xf16>) -> tensor<4x32x2xf16>
    %v8 = tensor.collapse_shape %v7 [[0], [1, 2]] : tensor<4x32x2xf16> into tensor<4x64xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [8, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<8x64xf16>
    %t9 = ktdp.construct_access_tile %outv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<8x64xf16> -> !ktdp.access_tile<4x64xindex>
    ktdp.store %v8, %t9 : tensor<4x64xf16>, <4x64xindex>
    return
  }
}
