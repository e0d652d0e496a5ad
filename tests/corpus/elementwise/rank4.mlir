// Rank 4, tiles cut in two dimensions of a 2-D grid.
module {
  func.func @rank4(%x: index, %y: index, %out: index) attributes {grid = [2, 2]} {
    %p0, %p1 = ktdp.get_compute_tile_id : index, index
    %xv = ktdp.construct_memory_view %x, sizes: [4, 6, 5, 32], strides: [960, 160, 32, 1] {
      coordinate_set = affine_set<(i, j, k, l) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 5 >= 0, k >= 0, -k + 4 >= 0, l >= 0, -l + 31 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<4x6x5x32xf16>
    %yv = ktdp.construct_memory_view %y, sizes: [4, 6, 5, 32], strides: [960, 160, 32, 1] {
      coordinate_set = affine_set<(i, j, k, l) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 5 >= 0, k >= 0, -k + 4 >= 0, l >= 0, -l + 31 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<4x6x5x32xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [4, 6, 5, 32], strides: [960, 160, 32, 1] {
      coordinate_set = affine_set<(i, j, k, l) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 5 >= 0, k >= 0, -k + 4 >= 0, l >= 0, -l + 31 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<4x6x5x32xf16>
    %xt = ktdp.construct_access_tile %xv[%p0 * 2, %p1 * 3, 0, 0] {
      access_tile_set = affine_set<(i, j, k, l) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 2 >= 0, k >= 0, -k + 4 >= 0, l >= 0, -l + 31 >= 0)>,
      access_tile_order = affine_map<(i, j, k, l) -> (i, j, k, l)>
    } : memref<4x6x5x32xf16> -> !ktdp.access_tile<2x3x5x32xindex>
    %xd = ktdp.load %xt : <2x3x5x32xindex> -> tensor<2x3x5x32xf16>
    %yt = ktdp.construct_access_tile %yv[%p0 * 2, %p1 * 3, 0, 0] {
      access_tile_set = affine_set<(i, j, k, l) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 2 >= 0, k >= 0, -k + 4 >= 0, l >= 0, -l + 31 >= 0)>,
      access_tile_order = affine_map<(i, j, k, l) -> (i, j, k, l)>
    } : memref<4x6x5x32xf16> -> !ktdp.access_tile<2x3x5x32xindex>
    %yd = ktdp.load %yt : <2x3x5x32xindex> -> tensor<2x3x5x32xf16>
    %r = arith.addf %xd, %yd : tensor<2x3x5x32xf16>
    %ot = ktdp.construct_access_tile %outv[%p0 * 2, %p1 * 3, 0, 0] {
      access_tile_set = affine_set<(i, j, k, l) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 2 >= 0, k >= 0, -k + 4 >= 0, l >= 0, -l + 31 >= 0)>,
      access_tile_order = affine_map<(i, j, k, l) -> (i, j, k, l)>
    } : memref<4x6x5x32xf16> -> !ktdp.access_tile<2x3x5x32xindex>
    ktdp.store %r, %ot : tensor<2x3x5x32xf16>, <2x3x5x32xindex>
    return
  }
}
