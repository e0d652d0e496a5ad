// A tile whose size no tile size divides: 331 rows of 1,000 elements, two tiles.
module {
  func.func @tail_tiles(%x: index, %y: index, %out: index) attributes {grid = [2]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [662, 1000], strides: [1024, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 661 >= 0, j >= 0, -j + 999 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<662x1000xf16>
    %yv = ktdp.construct_memory_view %y, sizes: [662, 1000], strides: [1024, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 661 >= 0, j >= 0, -j + 999 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<662x1000xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [662, 1000], strides: [1024, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 661 >= 0, j >= 0, -j + 999 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<662x1000xf16>
    %xt = ktdp.construct_access_tile %xv[%me * 331, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 330 >= 0, j >= 0, -j + 999 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<662x1000xf16> -> !ktdp.access_tile<331x1000xindex>
    %xd = ktdp.load %xt : <331x1000xindex> -> tensor<331x1000xf16>
    %yt = ktdp.construct_access_tile %yv[%me * 331, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 330 >= 0, j >= 0, -j + 999 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<662x1000xf16> -> !ktdp.access_tile<331x1000xindex>
    %yd = ktdp.load %yt : <331x1000xindex> -> tensor<331x1000xf16>
    %r = arith.subf %xd, %yd : tensor<331x1000xf16>
    %ot = ktdp.construct_access_tile %outv[%me * 331, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 330 >= 0, j >= 0, -j + 999 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<662x1000xf16> -> !ktdp.access_tile<331x1000xindex>
    ktdp.store %r, %ot : tensor<331x1000xf16>, <331x1000xindex>
    return
  }
}
