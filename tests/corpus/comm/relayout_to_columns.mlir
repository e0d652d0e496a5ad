// From rows to columns that lie column by column: a load and a store.
module {
  func.func @relayout_to_columns(%x: index, %y: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16384 : index
    %xv = ktdp.construct_memory_view %x, sizes: [32, 128], strides: [128, 1] {
      coordinate_set = affine_set<(a, b) : (a - 0 >= 0, -a + 31 >= 0, b - 0 >= 0, -b + 127 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<32x128xf16>
    %own = ktdp.construct_memory_view %c0, sizes: [8, 128], strides: [128, 1] {
      coordinate_set = affine_set<(a, b) : (a - 0 >= 0, -a + 7 >= 0, b - 0 >= 0, -b + 127 >= 0)>, memory_space = #ktdp.memory_space<ct_local>} : memref<8x128xf16>
    %xt = ktdp.construct_access_tile %xv[%me * 8, 0] {access_tile_set = affine_set<(a, b) : (a - 0 >= 0, -a + 7 >= 0, b - 0 >= 0, -b + 127 >= 0)>, access_tile_order = affine_map<(a, b) -> (a, b)>}
      : memref<32x128xf16> -> !ktdp.access_tile<8x128xindex>
    %r = ktdp.load %xt : <8x128xindex> -> tensor<8x128xf16>
    %ot = ktdp.construct_access_tile %own[0, 0] {access_tile_set = affine_set<(a, b) : (a - 0 >= 0, -a + 7 >= 0, b - 0 >= 0, -b + 127 >= 0)>, access_tile_order = affine_map<(a, b) -> (a, b)>}
      : memref<8x128xf16> -> !ktdp.access_tile<8x128xindex>
    ktdp.store %r, %ot : tensor<8x128xf16>, <8x128xindex>
    %p0 = ktdp.construct_memory_view %c0, sizes: [8, 128], strides: [128, 1] {
      coordinate_set = affine_set<(a, b) : (a - 0 >= 0, -a + 7 >= 0, b - 0 >= 0, -b + 127 >= 0)>, memory_space = #ktdp.memory_space<ct_local, ct_id = 0>} : memref<8x128xf16>
    %p1 = ktdp.construct_memory_view %c0, sizes: [8, 128], strides: [128, 1] {
      coordinate_set = affine_set<(a, b) : (a - 8 >= 0, -a + 15 >= 0, b - 0 >= 0, -b + 127 >= 0)>, memory_space = #ktdp.memory_space<ct_local, ct_id = 1>} : memref<8x128xf16>
    %p2 = ktdp.construct_memory_view %c0, sizes: [8, 128], strides: [128, 1] {
      coordinate_set = affine_set<(a, b) : (a - 16 >= 0, -a + 23 >= 0, b - 0 >= 0, -b + 127 >= 0)>, memory_space = #ktdp.memory_space<ct_local, ct_id = 2>} : memref<8x128xf16>
    %p3 = ktdp.construct_memory_view %c0, sizes: [8, 128], strides: [128, 1] {
      coordinate_set = affine_set<(a, b) : (a - 24 >= 0, -a + 31 >= 0, b - 0 >= 0, -b + 127 >= 0)>, memory_space = #ktdp.memory_space<ct_local, ct_id = 3>} : memref<8x128xf16>
    %q0 = ktdp.construct_memory_view %c16, sizes: [32, 32], strides: [1, 32] {
      coordinate_set = affine_set<(a, b) : (a - 0 >= 0, -a + 31 >= 0, b - 0 >= 0, -b + 31 >= 0)>, memory_space = #ktdp.memory_space<ct_local, ct_id = 0>} : memref<32x32xf16>
    %q1 = ktdp.construct_memory_view %c16, sizes: [32, 32], strides: [1, 32] {
      coordinate_set = affine_set<(a, b) : (a - 0 >= 0, -a + 31 >= 0, b - 32 >= 0, -b + 63 >= 0)>, memory_space = #ktdp.memory_space<ct_local, ct_id = 1>} : memref<32x32xf16>
    %q2 = ktdp.construct_memory_view %c16, sizes: [32, 32], strides: [1, 32] {
      coordinate_set = affine_set<(a, b) : (a - 0 >= 0, -a + 31 >= 0, b - 64 >= 0, -b + 95 >= 0)>, memory_space = #ktdp.memory_space<ct_local, ct_id = 2>} : memref<32x32xf16>
    %q3 = ktdp.construct_memory_view %c16, sizes: [32, 32], strides: [1, 32] {
      coordinate_set = affine_set<(a, b) : (a - 0 >= 0, -a + 31 >= 0, b - 96 >= 0, -b + 127 >= 0)>, memory_space = #ktdp.memory_space<ct_local, ct_id = 3>} : memref<32x32xf16>
    %d = ktdp.construct_distributed_memory_view(%p0, %p1, %p2, %p3 : memref<8x128xf16>, memref<8x128xf16>, memref<8x128xf16>, memref<8x128xf16>) : memref<32x128xf16>
    %e = ktdp.construct_distributed_memory_view(%q0, %q1, %q2, %q3 : memref<32x32xf16>, memref<32x32xf16>, memref<32x32xf16>, memref<32x32xf16>) : memref<32x128xf16>
    %dt = ktdp.construct_access_tile %d[%me * 8, 0] {access_tile_set = affine_set<(a, b) : (a - 0 >= 0, -a + 7 >= 0, b - 0 >= 0, -b + 127 >= 0)>, access_tile_order = affine_map<(a, b) -> (a, b)>}
      : memref<32x128xf16> -> !ktdp.access_tile<8x128xindex>
    %c = ktdp.load %dt : <8x128xindex> -> tensor<8x128xf16>
    %et = ktdp.construct_access_tile %e[%me * 8, 0] {access_tile_set = affine_set<(a, b) : (a - 0 >= 0, -a + 7 >= 0, b - 0 >= 0, -b + 127 >= 0)>, access_tile_order = affine_map<(a, b) -> (a, b)>}
      : memref<32x128xf16> -> !ktdp.access_tile<8x128xindex>
    ktdp.store %c, %et : tensor<8x128xf16>, <8x128xindex>
    %own2 = ktdp.construct_memory_view %c16, sizes: [32, 32], strides: [32, 1] {
      coordinate_set = affine_set<(a, b) : (a - 0 >= 0, -a + 31 >= 0, b - 0 >= 0, -b + 31 >= 0)>, memory_space = #ktdp.memory_space<ct_local>} : memref<32x32xf16>
    %o2t = ktdp.construct_access_tile %own2[0, 0] {access_tile_set = affine_set<(a, b) : (a - 0 >= 0, -a + 31 >= 0, b - 0 >= 0, -b + 31 >= 0)>, access_tile_order = affine_map<(a, b) -> (a, b)>}
      : memref<32x32xf16> -> !ktdp.access_tile<32x32xindex>
    %r2 = ktdp.load %o2t : <32x32xindex> -> tensor<32x32xf16>
    %yv = ktdp.construct_memory_view %y, sizes: [4, 32, 32], strides: [1024, 32, 1] {
      coordinate_set = affine_set<(a, b, c) : (a - 0 >= 0, -a + 3 >= 0, b - 0 >= 0, -b + 31 >= 0, c - 0 >= 0, -c + 31 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4x32x32xf16>
    %r3 = tensor.expand_shape %r2 [[0, 1], [2]] output_shape [1, 32, 32] : tensor<32x32xf16> into tensor<1x32x32xf16>
    %yt = ktdp.construct_access_tile %yv[%me, 0, 0] {access_tile_set = affine_set<(a, b, c) : (a - 0 >= 0, -a + 0 >= 0, b - 0 >= 0, -b + 31 >= 0, c - 0 >= 0, -c + 31 >= 0)>, access_tile_order = affine_map<(a, b, c) -> (a, b, c)>}
      : memref<4x32x32xf16> -> !ktdp.access_tile<1x32x32xindex>
    ktdp.store %r3, %yt : tensor<1x32x32xf16>, <1x32x32xindex>
    return
  }
}
