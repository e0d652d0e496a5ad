// A column operand: one element per row, splat over the vector.
module {
  func.func @broadcast_column(%x: index, %y: index, %out: index) attributes {grid = [32]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [128, 256], strides: [256, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 127 >= 0, j >= 0, -j + 255 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<128x256xf16>
    %yv = ktdp.construct_memory_view %y, sizes: [128], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 127 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<128xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [128, 256], strides: [256, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 127 >= 0, j >= 0, -j + 255 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<128x256xf16>
    %xt = ktdp.construct_access_tile %xv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 255 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<128x256xf16> -> !ktdp.access_tile<4x256xindex>
    %xd = ktdp.load %xt : <4x256xindex> -> tensor<4x256xf16>
    %yt = ktdp.construct_access_tile %yv[%me * 4] {
      access_tile_set = affine_set<(i) : (i >= 0, -i + 3 >= 0)>,
      access_tile_order = affine_map<(i) -> (i)>
    } : memref<128xf16> -> !ktdp.access_tile<4xindex>
    %yd = ktdp.load %yt : <4xindex> -> tensor<4xf16>
    %e = tensor.empty() : tensor<4x256xf16>
    %bb = linalg.broadcast ins(%yd : tensor<4xf16>) outs(%e : tensor<4x256xf16>) dimensions = [1]
    %r = arith.mulf %xd, %bb : tensor<4x256xf16>
    %ot = ktdp.construct_access_tile %outv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 255 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<128x256xf16> -> !ktdp.access_tile<4x256xindex>
    ktdp.store %r, %ot : tensor<4x256xf16>, <4x256xindex>
    return
  }
}
