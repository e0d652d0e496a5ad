// Column-major views: the vector dimension is the first one.
module {
  func.func @column_major(%x: index, %y: index, %out: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [64, 80], strides: [1, 64] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 63 >= 0, j >= 0, -j + 79 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<64x80xf16>
    %yv = ktdp.construct_memory_view %y, sizes: [64, 80], strides: [1, 64] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 63 >= 0, j >= 0, -j + 79 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<64x80xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [64, 80], strides: [1, 64] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 63 >= 0, j >= 0, -j + 79 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<64x80xf16>
    %xt = ktdp.construct_access_tile %xv[%me * 16, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 79 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<64x80xf16> -> !ktdp.access_tile<16x80xindex>
    %xd = ktdp.load %xt : <16x80xindex> -> tensor<16x80xf16>
    %yt = ktdp.construct_access_tile %yv[%me * 16, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 79 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<64x80xf16> -> !ktdp.access_tile<16x80xindex>
    %yd = ktdp.load %yt : <16x80xindex> -> tensor<16x80xf16>
    %r = arith.mulf %xd, %yd : tensor<16x80xf16>
    %ot = ktdp.construct_access_tile %outv[%me * 16, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 79 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<64x80xf16> -> !ktdp.access_tile<16x80xindex>
    ktdp.store %r, %ot : tensor<16x80xf16>, <16x80xindex>
    return
  }
}
