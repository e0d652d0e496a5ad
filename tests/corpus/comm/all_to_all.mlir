// Each tile gives every other one of its group two rows, which lie side by side there.
module {
  func.func @all_to_all(%x: index, %y: index) attributes {grid = [8]} {
    %me = ktdp.get_compute_tile_id : index
    %zero = arith.constant dense<0.0> : tensor<8x32xf32>
    %xv = ktdp.construct_memory_view %x, sizes: [8, 8, 32], strides: [256, 32, 1] {
      coordinate_set = affine_set<(a, b, c) : (a >= 0, -a + 7 >= 0, b >= 0, -b + 7 >= 0, c >= 0, -c + 31 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<8x8x32xf32>
    %xt = ktdp.construct_access_tile %xv[%me, 0, 0] {
      access_tile_set = affine_set<(a, b, c) : (a >= 0, -a + 0 >= 0, b >= 0, -b + 7 >= 0, c >= 0, -c + 31 >= 0)>, access_tile_order = affine_map<(a, b, c) -> (a, b, c)>} : memref<8x8x32xf32> -> !ktdp.access_tile<1x8x32xindex>
    %p3 = ktdp.load %xt : <1x8x32xindex> -> tensor<1x8x32xf32>
    %p = tensor.collapse_shape %p3 [[0, 1], [2]] : tensor<1x8x32xf32> into tensor<8x32xf32>
    %f = ktdp.inter_tile_produce producer_tiles_per_group = affine_set<(i)[g] : (i - 4 * g >= 0, -i + 4 * g + 3 >= 0)> -> <(tensor<8x32xf32>), groups = affine_set<(g) : (g >= 0, -g + 1 >= 0)>> {
    ^bb0(%gid: index):
      ktdp.yield_partial %p : tensor<8x32xf32>
    }
    %r = ktdp.inter_tile_all_to_all(%f) consumer_tiles_per_group = affine_set<(i)[g] : (i - 4 * g >= 0, -i + 4 * g + 3 >= 0)>, split_dimensions = [0], concat_dimensions = [1] : <(tensor<8x32xf32>), groups = affine_set<(g) : (g >= 0, -g + 1 >= 0)>> -> tensor<2x128xf32>
    %r3 = tensor.expand_shape %r [[0, 1], [2]] output_shape [1, 2, 128] : tensor<2x128xf32> into tensor<1x2x128xf32>
    %yv = ktdp.construct_memory_view %y, sizes: [8, 2, 128], strides: [256, 128, 1] {
      coordinate_set = affine_set<(a, b, c) : (a >= 0, -a + 7 >= 0, b >= 0, -b + 1 >= 0, c >= 0, -c + 127 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<8x2x128xf32>
    %yt = ktdp.construct_access_tile %yv[%me, 0, 0] {
      access_tile_set = affine_set<(a, b, c) : (a >= 0, -a + 0 >= 0, b >= 0, -b + 1 >= 0, c >= 0, -c + 127 >= 0)>, access_tile_order = affine_map<(a, b, c) -> (a, b, c)>} : memref<8x2x128xf32> -> !ktdp.access_tile<1x2x128xindex>
    ktdp.store %r3, %yt : tensor<1x2x128xf32>, <1x2x128xindex>
    return
  }
}
