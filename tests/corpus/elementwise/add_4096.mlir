// Add at a size where the pipeline matters: 4096x4096 f16, 128 rows a tile.
module {
  func.func @add_4096(%x: index, %y: index, %out: index) attributes {grid = [32]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [4096, 4096], strides: [4096, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 4095 >= 0, j >= 0, -j + 4095 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<4096x4096xf16>
    %yv = ktdp.construct_memory_view %y, sizes: [4096, 4096], strides: [4096, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 4095 >= 0, j >= 0, -j + 4095 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<4096x4096xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [4096, 4096], strides: [4096, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 4095 >= 0, j >= 0, -j + 4095 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<4096x4096xf16>
    %xt = ktdp.construct_access_tile %xv[%me * 128, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 127 >= 0, j >= 0, -j + 4095 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<4096x4096xf16> -> !ktdp.access_tile<128x4096xindex>
    %xd = ktdp.load %xt : <128x4096xindex> -> tensor<128x4096xf16>
    %yt = ktdp.construct_access_tile %yv[%me * 128, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 127 >= 0, j >= 0, -j + 4095 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<4096x4096xf16> -> !ktdp.access_tile<128x4096xindex>
    %yd = ktdp.load %yt : <128x4096xindex> -> tensor<128x4096xf16>
    %e = tensor.empty() : tensor<128x4096xf16>
    %r = linalg.add ins(%xd, %yd : tensor<128x4096xf16>, tensor<128x4096xf16>) outs(%e : tensor<128x4096xf16>) -> tensor<128x4096xf16>
    %ot = ktdp.construct_access_tile %outv[%me * 128, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 127 >= 0, j >= 0, -j + 4095 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<4096x4096xf16> -> !ktdp.access_tile<128x4096xindex>
    ktdp.store %r, %ot : tensor<128x4096xf16>, <128x4096xindex>
    return
  }
}
