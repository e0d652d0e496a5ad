// A row of 256 becomes 4x64: tensor.expand_shape, then a broadcast product per row.
module {
  func.func @expand_rows(%x: index, %w: index, %out: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [1024], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 1023 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<1024xf16>
    %t1 = ktdp.construct_access_tile %xv[%me * 256] {
      access_tile_set = affine_set<(i) : (i >= 0, -i + 255 >= 0)>,
      access_tile_order = affine_map<(i) -> (i)>
    } : memref<1024xf16> -> !ktdp.access_tile<256xindex>
    %d2 = ktdp.load %t1 : <256xindex> -> tensor<256xf16>
    %wv = ktdp.construct_memory_view %w, sizes: [16, 1], strides: [1, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 0 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<16x1xf16>
    %t3 = ktdp.construct_access_tile %wv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 0 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<16x1xf16> -> !ktdp.access_tile<4x1xindex>
    %d4 = ktdp.load %t3 : <4x1xindex> -> tensor<4x1xf16>
    %v5 = tensor.expand_shape %d2 [[0, 1]] output_shape [4, 64] : tensor<256xf16> into tensor<4x64xf16>
    %v6 = tensor.collapse_shape %d4 [[0, 1]] : tensor<4x1xf16> into tensor<4xf16>
    %v7 = tensor.empty() : tensor<4x64xf16>
    %v8 = linalg.broadcast ins(%v6 : tensor<4xf16>) outs(%v7 : tensor<4x64xf16>) dimensions = [1]
    %v9 = arith.mulf %v5, %v8 : tensor<4x64xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [16, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<16x64xf16>
    %t10 = ktdp.construct_access_tile %outv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<16x64xf16> -> !ktdp.access_tile<4x64xindex>
    ktdp.store %v9, %t10 : tensor<4x64xf16>, <4x64xindex>
    return
  }
}
