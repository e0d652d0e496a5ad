// The first tile of each pair loads a block by the group id and gives it to both, in a loop.
module {
  func.func @broadcast_in_loop(%x: index, %y: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %xv = ktdp.construct_memory_view %x, sizes: [6, 8, 64], strides: [512, 64, 1] {
      coordinate_set = affine_set<(a, b, c) : (a - 0 >= 0, -a + 5 >= 0, b - 0 >= 0, -b + 7 >= 0, c - 0 >= 0, -c + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<6x8x64xf16>
    %yv = ktdp.construct_memory_view %y, sizes: [4, 24, 64], strides: [1536, 64, 1] {
      coordinate_set = affine_set<(a, b, c) : (a - 0 >= 0, -a + 3 >= 0, b - 0 >= 0, -b + 23 >= 0, c - 0 >= 0, -c + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4x24x64xf16>
    scf.for %i = %c0 to %c3 step %c1 {
    %f = ktdp.inter_tile_produce producer_tiles_per_group = affine_set<(i)[g] : (i - 2 * g == 0)> -> <(tensor<8x64xf16>), groups = affine_set<(g) : (g >= 0, -g + 1 >= 0)>> {
    ^bb0(%gid: index):
      %n = arith.muli %gid, %c3 : index
      %k = arith.addi %n, %i : index
    %xt = ktdp.construct_access_tile %xv[%k, 0, 0] {access_tile_set = affine_set<(a, b, c) : (a - 0 >= 0, -a + 0 >= 0, b - 0 >= 0, -b + 7 >= 0, c - 0 >= 0, -c + 63 >= 0)>, access_tile_order = affine_map<(a, b, c) -> (a, b, c)>}
      : memref<6x8x64xf16> -> !ktdp.access_tile<1x8x64xindex>
    %x3 = ktdp.load %xt : <1x8x64xindex> -> tensor<1x8x64xf16>
      %xx = tensor.collapse_shape %x3 [[0, 1], [2]] : tensor<1x8x64xf16> into tensor<8x64xf16>
      ktdp.yield_partial %xx : tensor<8x64xf16>
    }
    %r = ktdp.inter_tile_consume(%f) consumer_tiles_per_group = affine_set<(i)[g] : (i - 2 * g >= 0, -i + 2 * g + 1 >= 0)> : <(tensor<8x64xf16>), groups = affine_set<(g) : (g >= 0, -g + 1 >= 0)>> -> tensor<8x64xf16>
    %r3 = tensor.expand_shape %r [[0, 1], [2]] output_shape [1, 8, 64] : tensor<8x64xf16> into tensor<1x8x64xf16>
    %yt = ktdp.construct_access_tile %yv[%me, %i * 8, 0] {access_tile_set = affine_set<(a, b, c) : (a - 0 >= 0, -a + 0 >= 0, b - 0 >= 0, -b + 7 >= 0, c - 0 >= 0, -c + 63 >= 0)>, access_tile_order = affine_map<(a, b, c) -> (a, b, c)>}
      : memref<4x24x64xf16> -> !ktdp.access_tile<1x8x64xindex>
    ktdp.store %r3, %yt : tensor<1x8x64xf16>, <1x8x64xindex>
    }
    return
  }
}
