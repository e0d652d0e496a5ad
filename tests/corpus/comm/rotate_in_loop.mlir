// In every iteration a tile reads the scratchpad of the next one.
module {
  func.func @rotate_in_loop(%x: index, %y: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %xv = ktdp.construct_memory_view %x, sizes: [32, 64], strides: [64, 1] {
      coordinate_set = affine_set<(a, b) : (a - 0 >= 0, -a + 31 >= 0, b - 0 >= 0, -b + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<32x64xf16>
    %own = ktdp.construct_memory_view %c0, sizes: [8, 64], strides: [64, 1] {
      coordinate_set = affine_set<(a, b) : (a - 0 >= 0, -a + 7 >= 0, b - 0 >= 0, -b + 63 >= 0)>, memory_space = #ktdp.memory_space<ct_local>} : memref<8x64xf16>
    %xt = ktdp.construct_access_tile %xv[%me * 8, 0] {access_tile_set = affine_set<(a, b) : (a - 0 >= 0, -a + 7 >= 0, b - 0 >= 0, -b + 63 >= 0)>, access_tile_order = affine_map<(a, b) -> (a, b)>}
      : memref<32x64xf16> -> !ktdp.access_tile<8x64xindex>
    %r = ktdp.load %xt : <8x64xindex> -> tensor<8x64xf16>
    %ot = ktdp.construct_access_tile %own[0, 0] {access_tile_set = affine_set<(a, b) : (a - 0 >= 0, -a + 7 >= 0, b - 0 >= 0, -b + 63 >= 0)>, access_tile_order = affine_map<(a, b) -> (a, b)>}
      : memref<8x64xf16> -> !ktdp.access_tile<8x64xindex>
    ktdp.store %r, %ot : tensor<8x64xf16>, <8x64xindex>
    %p0 = ktdp.construct_memory_view %c0, sizes: [8, 64], strides: [64, 1] {
      coordinate_set = affine_set<(a, b) : (a - 0 >= 0, -a + 7 >= 0, b - 0 >= 0, -b + 63 >= 0)>, memory_space = #ktdp.memory_space<ct_local, ct_id = 0>} : memref<8x64xf16>
    %p1 = ktdp.construct_memory_view %c0, sizes: [8, 64], strides: [64, 1] {
      coordinate_set = affine_set<(a, b) : (a - 8 >= 0, -a + 15 >= 0, b - 0 >= 0, -b + 63 >= 0)>, memory_space = #ktdp.memory_space<ct_local, ct_id = 1>} : memref<8x64xf16>
    %p2 = ktdp.construct_memory_view %c0, sizes: [8, 64], strides: [64, 1] {
      coordinate_set = affine_set<(a, b) : (a - 16 >= 0, -a + 23 >= 0, b - 0 >= 0, -b + 63 >= 0)>, memory_space = #ktdp.memory_space<ct_local, ct_id = 2>} : memref<8x64xf16>
    %p3 = ktdp.construct_memory_view %c0, sizes: [8, 64], strides: [64, 1] {
      coordinate_set = affine_set<(a, b) : (a - 24 >= 0, -a + 31 >= 0, b - 0 >= 0, -b + 63 >= 0)>, memory_space = #ktdp.memory_space<ct_local, ct_id = 3>} : memref<8x64xf16>
    %d = ktdp.construct_distributed_memory_view(%p0, %p1, %p2, %p3 : memref<8x64xf16>, memref<8x64xf16>, memref<8x64xf16>, memref<8x64xf16>) : memref<32x64xf16>
    %yv = ktdp.construct_memory_view %y, sizes: [4, 32, 64], strides: [2048, 64, 1] {
      coordinate_set = affine_set<(a, b, c) : (a - 0 >= 0, -a + 3 >= 0, b - 0 >= 0, -b + 31 >= 0, c - 0 >= 0, -c + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4x32x64xf16>
    scf.for %i = %c0 to %c4 step %c1 {
    %n = arith.addi %i, %me : index
    %m = arith.remui %n, %c4 : index
    %dt = ktdp.construct_access_tile %d[%m * 8, 0] {access_tile_set = affine_set<(a, b) : (a - 0 >= 0, -a + 7 >= 0, b - 0 >= 0, -b + 63 >= 0)>, access_tile_order = affine_map<(a, b) -> (a, b)>}
      : memref<32x64xf16> -> !ktdp.access_tile<8x64xindex>
    %c = ktdp.load %dt : <8x64xindex> -> tensor<8x64xf16>
    %r3 = tensor.expand_shape %c [[0, 1], [2]] output_shape [1, 8, 64] : tensor<8x64xf16> into tensor<1x8x64xf16>
    %yt = ktdp.construct_access_tile %yv[%me, %i * 8, 0] {access_tile_set = affine_set<(a, b, c) : (a - 0 >= 0, -a + 0 >= 0, b - 0 >= 0, -b + 7 >= 0, c - 0 >= 0, -c + 63 >= 0)>, access_tile_order = affine_map<(a, b, c) -> (a, b, c)>}
      : memref<4x32x64xf16> -> !ktdp.access_tile<1x8x64xindex>
    ktdp.store %r3, %yt : tensor<1x8x64xf16>, <1x8x64xindex>
    }
    return
  }
}
