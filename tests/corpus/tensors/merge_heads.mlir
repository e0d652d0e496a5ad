// Heads are merged: [seq, head, dim] read as [seq, head*dim] and scaled by a row over head*dim.
module {
  func.func @merge_heads(%x: index, %w: index, %out: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [16, 8, 64], strides: [512, 64, 1] {
      coordinate_set = affine_set<(i, j, k) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 7 >= 0, k >= 0, -k + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<16x8x64xf16>
    %t1 = ktdp.construct_access_tile %xv[%me * 4, 0, 0] {
      access_tile_set = affine_set<(i, j, k) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 7 >= 0, k >= 0, -k + 63 >= 0)>,
      access_tile_order = affine_map<(i, j, k) -> (i, j, k)>
    } : memref<16x8x64xf16> -> !ktdp.access_tile<4x8x64xindex>
    %d2 = ktdp.load %t1 : <4x8x64xindex> -> tensor<4x8x64xf16>
    %wv = ktdp.construct_memory_view %w, sizes: [512], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 511 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<512xf16>
    %t3 = ktdp.construct_access_tile %wv[0] {
      access_tile_set = affine_set<(i) : (i >= 0, -i + 511 >= 0)>,
      access_tile_order = affine_map<(i) -> (i)>
    } : memref<512xf16> -> !ktdp.access_tile<512xindex>
    %d4 = ktdp.load %t3 : <512xindex> -> tensor<512xf16>
    %v5 = tensor.collapse_shape %d2 [[0], [1, 2]] : tensor<4x8x64xf16> into tensor<4x512xf16>
    %v6 = tensor.empty() : tensor<4x512xf16>
    %v7 = linalg.broadcast ins(%d4 : tensor<512xf16>) outs(%v6 : tensor<4x512xf16>) dimensions = [0]
    %v8 = arith.mulf %v5, %v7 : tensor<4x512xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [16, 512], strides: [512, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 511 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<16x512xf16>
    %t9 = ktdp.construct_access_tile %outv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 511 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<16x512xf16> -> !ktdp.access_tile<4x512xindex>
    ktdp.store %v8, %t9 : tensor<4x512xf16>, <4x512xindex>
    return
  }
}
