// An in-place update: x += y, load and store through the same access tile.
module {
  func.func @in_place(%x: index, %y: index) attributes {grid = [32]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [64, 128], strides: [128, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 63 >= 0, j >= 0, -j + 127 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<64x128xf16>
    %yv = ktdp.construct_memory_view %y, sizes: [64, 128], strides: [128, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 63 >= 0, j >= 0, -j + 127 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<64x128xf16>
    %xt = ktdp.construct_access_tile %xv[%me * 2, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 127 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<64x128xf16> -> !ktdp.access_tile<2x128xindex>
    %xd = ktdp.load %xt : <2x128xindex> -> tensor<2x128xf16>
    %yt = ktdp.construct_access_tile %yv[%me * 2, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 127 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<64x128xf16> -> !ktdp.access_tile<2x128xindex>
    %yd = ktdp.load %yt : <2x128xindex> -> tensor<2x128xf16>
    %r = arith.addf %xd, %yd : tensor<2x128xf16>
    ktdp.store %r, %xt : tensor<2x128xf16>, <2x128xindex>
    return
  }
}
