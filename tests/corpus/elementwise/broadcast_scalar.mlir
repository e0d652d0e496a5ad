// One element in memory, used for the whole tile.
module {
  func.func @broadcast_scalar(%x: index, %y: index, %out: index) attributes {grid = [32]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [128, 256], strides: [256, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 127 >= 0, j >= 0, -j + 255 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<128x256xf16>
    %yv = ktdp.construct_memory_view %y, sizes: [1, 1], strides: [1, 1] {
      coordinate_set = affine_set<(i, j) : (i == 0, j == 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<1x1xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [128, 256], strides: [256, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 127 >= 0, j >= 0, -j + 255 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<128x256xf16>
    %xt = ktdp.construct_access_tile %xv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 255 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<128x256xf16> -> !ktdp.access_tile<4x256xindex>
    %xd = ktdp.load %xt : <4x256xindex> -> tensor<4x256xf16>
    %yt = ktdp.construct_access_tile %yv[0, 0] {
      access_tile_set = affine_set<(i, j) : (i == 0, j == 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<1x1xf16> -> !ktdp.access_tile<1x1xindex>
    %yd = ktdp.load %yt : <1x1xindex> -> tensor<1x1xf16>
    %c0 = arith.constant 0 : index
    %yy = tensor.collapse_shape %yd [[0, 1]] : tensor<1x1xf16> into tensor<1xf16>
    %y0 = tensor.collapse_shape %yy [] : tensor<1xf16> into tensor<f16>
    %e = tensor.empty() : tensor<4x256xf16>
    %bb = linalg.broadcast ins(%y0 : tensor<f16>) outs(%e : tensor<4x256xf16>) dimensions = [0, 1]
    %r = arith.mulf %xd, %bb : tensor<4x256xf16>
    %ot = ktdp.construct_access_tile %outv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 255 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<128x256xf16> -> !ktdp.access_tile<4x256xindex>
    ktdp.store %r, %ot : tensor<4x256xf16>, <4x256xindex>
    return
  }
}
