// Enough data for a tree: who has it passes it on.
module {
  func.func @broadcast_tree(%x: index, %y: index) attributes {grid = [8]} {
    %me = ktdp.get_compute_tile_id : index
    %zero = arith.constant dense<0.0> : tensor<64x128xf16>
    %xv = ktdp.construct_memory_view %x, sizes: [8, 64, 128], strides: [8192, 128, 1] {
      coordinate_set = affine_set<(a, b, c) : (a >= 0, -a + 7 >= 0, b >= 0, -b + 63 >= 0, c >= 0, -c + 127 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<8x64x128xf16>
    %xt = ktdp.construct_access_tile %xv[%me, 0, 0] {
      access_tile_set = affine_set<(a, b, c) : (a >= 0, -a + 0 >= 0, b >= 0, -b + 63 >= 0, c >= 0, -c + 127 >= 0)>, access_tile_order = affine_map<(a, b, c) -> (a, b, c)>} : memref<8x64x128xf16> -> !ktdp.access_tile<1x64x128xindex>
    %p3 = ktdp.load %xt : <1x64x128xindex> -> tensor<1x64x128xf16>
    %p = tensor.collapse_shape %p3 [[0, 1], [2]] : tensor<1x64x128xf16> into tensor<64x128xf16>
    %f = ktdp.inter_tile_produce producer_tiles_per_group = affine_set<(i)[g] : (i - 2 == 0)> -> <(tensor<64x128xf16>), groups = affine_set<(g) : (g >= 0, -g + 0 >= 0)>> {
    ^bb0(%gid: index):
      ktdp.yield_partial %p : tensor<64x128xf16>
    }
    %r = ktdp.inter_tile_consume(%f) consumer_tiles_per_group = affine_set<(i)[g] : (i >= 0, -i + 7 >= 0)> : <(tensor<64x128xf16>), groups = affine_set<(g) : (g >= 0, -g + 0 >= 0)>> -> tensor<64x128xf16>
    %r3 = tensor.expand_shape %r [[0, 1], [2]] output_shape [1, 64, 128] : tensor<64x128xf16> into tensor<1x64x128xf16>
    %yv = ktdp.construct_memory_view %y, sizes: [8, 64, 128], strides: [8192, 128, 1] {
      coordinate_set = affine_set<(a, b, c) : (a >= 0, -a + 7 >= 0, b >= 0, -b + 63 >= 0, c >= 0, -c + 127 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<8x64x128xf16>
    %yt = ktdp.construct_access_tile %yv[%me, 0, 0] {
      access_tile_set = affine_set<(a, b, c) : (a >= 0, -a + 0 >= 0, b >= 0, -b + 63 >= 0, c >= 0, -c + 127 >= 0)>, access_tile_order = affine_map<(a, b, c) -> (a, b, c)>} : memref<8x64x128xf16> -> !ktdp.access_tile<1x64x128xindex>
    ktdp.store %r3, %yt : tensor<1x64x128xf16>, <1x64x128xindex>
    return
  }
}
