// Mixed types: f16 and f32 operands, exp in f32, the result rounded to f16.
module {
  func.func @mixed_types(%x: index, %y: index, %out: index) attributes {grid = [32]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [64, 128], strides: [128, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 63 >= 0, j >= 0, -j + 127 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<64x128xf16>
    %yv = ktdp.construct_memory_view %y, sizes: [64, 128], strides: [128, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 63 >= 0, j >= 0, -j + 127 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<64x128xf32>
    %outv = ktdp.construct_memory_view %out, sizes: [64, 128], strides: [128, 1] {
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
    } : memref<64x128xf32> -> !ktdp.access_tile<2x128xindex>
    %yd = ktdp.load %yt : <2x128xindex> -> tensor<2x128xf32>
    %xw = arith.extf %xd : tensor<2x128xf16> to tensor<2x128xf32>
    %p = arith.mulf %xw, %yd : tensor<2x128xf32>
    %s = math.exp %p : tensor<2x128xf32>
    %r = arith.truncf %s : tensor<2x128xf32> to tensor<2x128xf16>
    %ot = ktdp.construct_access_tile %outv[%me * 2, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 127 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<64x128xf16> -> !ktdp.access_tile<2x128xindex>
    ktdp.store %r, %ot : tensor<2x128xf16>, <2x128xindex>
    return
  }
}
