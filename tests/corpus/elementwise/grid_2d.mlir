// A 2-D grid; the tile id of the second dimension picks the columns.
module {
  func.func @grid_2d(%x: index, %y: index, %out: index) attributes {grid = [8, 4]} {
    %p0, %p1 = ktdp.get_compute_tile_id : index, index
    %xv = ktdp.construct_memory_view %x, sizes: [64, 256], strides: [256, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 63 >= 0, j >= 0, -j + 255 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<64x256xf16>
    %yv = ktdp.construct_memory_view %y, sizes: [64, 256], strides: [256, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 63 >= 0, j >= 0, -j + 255 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<64x256xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [64, 256], strides: [256, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 63 >= 0, j >= 0, -j + 255 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<64x256xf16>
    %xt = ktdp.construct_access_tile %xv[%p0 * 8, %p1 * 64] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<64x256xf16> -> !ktdp.access_tile<8x64xindex>
    %xd = ktdp.load %xt : <8x64xindex> -> tensor<8x64xf16>
    %yt = ktdp.construct_access_tile %yv[%p0 * 8, %p1 * 64] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<64x256xf16> -> !ktdp.access_tile<8x64xindex>
    %yd = ktdp.load %yt : <8x64xindex> -> tensor<8x64xf16>
    %r = arith.subf %xd, %yd : tensor<8x64xf16>
    %ot = ktdp.construct_access_tile %outv[%p0 * 8, %p1 * 64] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<64x256xf16> -> !ktdp.access_tile<8x64xindex>
    ktdp.store %r, %ot : tensor<8x64xf16>, <8x64xindex>
    return
  }
}
