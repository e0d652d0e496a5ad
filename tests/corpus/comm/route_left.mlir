// Each tile gets what its right neighbour in the group of four produced.
module {
  func.func @route_left(%x: index, %y: index) attributes {grid = [8]} {
    %me = ktdp.get_compute_tile_id : index
    %zero = arith.constant dense<0.0> : tensor<8x64xf16>
    %xv = ktdp.construct_memory_view %x, sizes: [8, 8, 64], strides: [512, 64, 1] {
      coordinate_set = affine_set<(a, b, c) : (a >= 0, -a + 7 >= 0, b >= 0, -b + 7 >= 0, c >= 0, -c + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<8x8x64xf16>
    %xt = ktdp.construct_access_tile %xv[%me, 0, 0] {
      access_tile_set = affine_set<(a, b, c) : (a >= 0, -a + 0 >= 0, b >= 0, -b + 7 >= 0, c >= 0, -c + 63 >= 0)>, access_tile_order = affine_map<(a, b, c) -> (a, b, c)>} : memref<8x8x64xf16> -> !ktdp.access_tile<1x8x64xindex>
    %p3 = ktdp.load %xt : <1x8x64xindex> -> tensor<1x8x64xf16>
    %p = tensor.collapse_shape %p3 [[0, 1], [2]] : tensor<1x8x64xf16> into tensor<8x64xf16>
    %f = ktdp.inter_tile_produce producer_tiles_per_group = affine_set<(i)[g] : (i - 4 * g >= 0, -i + 4 * g + 3 >= 0)> -> <(tensor<8x64xf16>), groups = affine_set<(g) : (g >= 0, -g + 1 >= 0)>> {
    ^bb0(%gid: index):
      ktdp.yield_partial %p : tensor<8x64xf16>
    }
    %r = ktdp.inter_tile_consume(%f) consumer_tiles_per_group = affine_set<(i)[g] : (i - 4 * g >= 0, -i + 4 * g + 3 >= 0)>, producer_dependency_per_consumer = affine_set<(p)[c, g] : (p - 4 * g - (c + 1) mod 4 == 0)> : <(tensor<8x64xf16>), groups = affine_set<(g) : (g >= 0, -g + 1 >= 0)>> -> tensor<8x64xf16>
    %r3 = tensor.expand_shape %r [[0, 1], [2]] output_shape [1, 8, 64] : tensor<8x64xf16> into tensor<1x8x64xf16>
    %yv = ktdp.construct_memory_view %y, sizes: [8, 8, 64], strides: [512, 64, 1] {
      coordinate_set = affine_set<(a, b, c) : (a >= 0, -a + 7 >= 0, b >= 0, -b + 7 >= 0, c >= 0, -c + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<8x8x64xf16>
    %yt = ktdp.construct_access_tile %yv[%me, 0, 0] {
      access_tile_set = affine_set<(a, b, c) : (a >= 0, -a + 0 >= 0, b >= 0, -b + 7 >= 0, c >= 0, -c + 63 >= 0)>, access_tile_order = affine_map<(a, b, c) -> (a, b, c)>} : memref<8x8x64xf16> -> !ktdp.access_tile<1x8x64xindex>
    ktdp.store %r3, %yt : tensor<1x8x64xf16>, <1x8x64xindex>
    return
  }
}
