// The first tile of a group puts the columns of four tiles side by side; the width is no multiple of a vector.
module {
  func.func @gather_columns_to_one(%x: index, %y: index) attributes {grid = [8]} {
    %me = ktdp.get_compute_tile_id : index
    %zero = arith.constant dense<0.0> : tensor<8x40xf16>
    %xv = ktdp.construct_memory_view %x, sizes: [8, 8, 40], strides: [320, 40, 1] {
      coordinate_set = affine_set<(a, b, c) : (a >= 0, -a + 7 >= 0, b >= 0, -b + 7 >= 0, c >= 0, -c + 39 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<8x8x40xf16>
    %xt = ktdp.construct_access_tile %xv[%me, 0, 0] {
      access_tile_set = affine_set<(a, b, c) : (a >= 0, -a + 0 >= 0, b >= 0, -b + 7 >= 0, c >= 0, -c + 39 >= 0)>, access_tile_order = affine_map<(a, b, c) -> (a, b, c)>} : memref<8x8x40xf16> -> !ktdp.access_tile<1x8x40xindex>
    %p3 = ktdp.load %xt : <1x8x40xindex> -> tensor<1x8x40xf16>
    %p = tensor.collapse_shape %p3 [[0, 1], [2]] : tensor<1x8x40xf16> into tensor<8x40xf16>
    %f = ktdp.inter_tile_produce producer_tiles_per_group = affine_set<(i)[g] : (i - 4 * g >= 0, -i + 4 * g + 3 >= 0)> -> <(tensor<8x40xf16>), groups = affine_set<(g) : (g >= 0, -g + 1 >= 0)>> {
    ^bb0(%gid: index):
      ktdp.yield_partial %p : tensor<8x40xf16>
    }
    %r = ktdp.inter_tile_gather(%f) consumer_tiles_per_group = affine_set<(i)[g] : (i - 4 * g == 0)>, gather_dimensions = [1] : <(tensor<8x40xf16>), groups = affine_set<(g) : (g >= 0, -g + 1 >= 0)>> -> tensor<8x160xf16>
    %r3 = tensor.expand_shape %r [[0, 1], [2]] output_shape [1, 8, 160] : tensor<8x160xf16> into tensor<1x8x160xf16>
    %yv = ktdp.construct_memory_view %y, sizes: [8, 8, 160], strides: [1280, 160, 1] {
      coordinate_set = affine_set<(a, b, c) : (a >= 0, -a + 7 >= 0, b >= 0, -b + 7 >= 0, c >= 0, -c + 159 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<8x8x160xf16>
    %yt = ktdp.construct_access_tile %yv[%me, 0, 0] {
      access_tile_set = affine_set<(a, b, c) : (a >= 0, -a + 0 >= 0, b >= 0, -b + 7 >= 0, c >= 0, -c + 159 >= 0)>, access_tile_order = affine_map<(a, b, c) -> (a, b, c)>} : memref<8x8x160xf16> -> !ktdp.access_tile<1x8x160xindex>
    
    %step = arith.constant 4 : index
    %rest = arith.remui %me, %step : index
    %zero_index = arith.constant 0 : index
    %mine = arith.cmpi eq, %rest, %zero_index : index
    scf.if %mine {
      ktdp.store %r3, %yt : tensor<1x8x160xf16>, <1x8x160xindex>
    }
    return
  }
}
