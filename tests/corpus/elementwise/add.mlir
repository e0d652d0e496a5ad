// The add of the article: 96x64 f16 over 32 tiles, three rows a tile, addresses are arguments.
module {
  func.func @add(%x: index, %y: index, %out: index) attributes {grid = [32]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [96, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 95 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<96x64xf16>
    %yv = ktdp.construct_memory_view %y, sizes: [96, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 95 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<96x64xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [96, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 95 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<96x64xf16>
    %xt = ktdp.construct_access_tile %xv[%me * 3, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 2 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<96x64xf16> -> !ktdp.access_tile<3x64xindex>
    %xd = ktdp.load %xt : <3x64xindex> -> tensor<3x64xf16>
    %yt = ktdp.construct_access_tile %yv[%me * 3, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 2 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<96x64xf16> -> !ktdp.access_tile<3x64xindex>
    %yd = ktdp.load %yt : <3x64xindex> -> tensor<3x64xf16>
    %e = tensor.empty() : tensor<3x64xf16>
    %r = linalg.add ins(%xd, %yd : tensor<3x64xf16>, tensor<3x64xf16>) outs(%e : tensor<3x64xf16>) -> tensor<3x64xf16>
    %ot = ktdp.construct_access_tile %outv[%me * 3, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 2 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<96x64xf16> -> !ktdp.access_tile<3x64xindex>
    ktdp.store %r, %ot : tensor<3x64xf16>, <3x64xindex>
    return
  }
}
