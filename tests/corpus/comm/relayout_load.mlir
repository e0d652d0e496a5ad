// Rows lie in the scratchpads of four tiles; each tile reads a block of columns of all of them.
module {
  func.func @relayout_load(%x: index, %y: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %c0 = arith.constant 0 : index
    %xv = ktdp.construct_memory_view %x, sizes: [32, 256], strides: [256, 1] {
      coordinate_set = affine_set<(a, b) : (a - 0 >= 0, -a + 31 >= 0, b - 0 >= 0, -b + 255 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<32x256xf16>
    %own = ktdp.construct_memory_view %c0, sizes: [8, 256], strides: [256, 1] {
      coordinate_set = affine_set<(a, b) : (a - 0 >= 0, -a + 7 >= 0, b - 0 >= 0, -b + 255 >= 0)>, memory_space = #ktdp.memory_space<ct_local>} : memref<8x256xf16>
    %xt = ktdp.construct_access_tile %xv[%me * 8, 0] {access_tile_set = affine_set<(a, b) : (a - 0 >= 0, -a + 7 >= 0, b - 0 >= 0, -b + 255 >= 0)>, access_tile_order = affine_map<(a, b) -> (a, b)>}
      : memref<32x256xf16> -> !ktdp.access_tile<8x256xindex>
    %r = ktdp.load %xt : <8x256xindex> -> tensor<8x256xf16>
    %ot = ktdp.construct_access_tile %own[0, 0] {access_tile_set = affine_set<(a, b) : (a - 0 >= 0, -a + 7 >= 0, b - 0 >= 0, -b + 255 >= 0)>, access_tile_order = affine_map<(a, b) -> (a, b)>}
      : memref<8x256xf16> -> !ktdp.access_tile<8x256xindex>
    ktdp.store %r, %ot : tensor<8x256xf16>, <8x256xindex>
    %p0 = ktdp.construct_memory_view %c0, sizes: [8, 256], strides: [256, 1] {
      coordinate_set = affine_set<(a, b) : (a - 0 >= 0, -a + 7 >= 0, b - 0 >= 0, -b + 255 >= 0)>, memory_space = #ktdp.memory_space<ct_local, ct_id = 0>} : memref<8x256xf16>
    %p1 = ktdp.construct_memory_view %c0, sizes: [8, 256], strides: [256, 1] {
      coordinate_set = affine_set<(a, b) : (a - 8 >= 0, -a + 15 >= 0, b - 0 >= 0, -b + 255 >= 0)>, memory_space = #ktdp.memory_space<ct_local, ct_id = 1>} : memref<8x256xf16>
    %p2 = ktdp.construct_memory_view %c0, sizes: [8, 256], strides: [256, 1] {
      coordinate_set = affine_set<(a, b) : (a - 16 >= 0, -a + 23 >= 0, b - 0 >= 0, -b + 255 >= 0)>, memory_space = #ktdp.memory_space<ct_local, ct_id = 2>} : memref<8x256xf16>
    %p3 = ktdp.construct_memory_view %c0, sizes: [8, 256], strides: [256, 1] {
      coordinate_set = affine_set<(a, b) : (a - 24 >= 0, -a + 31 >= 0, b - 0 >= 0, -b + 255 >= 0)>, memory_space = #ktdp.memory_space<ct_local, ct_id = 3>} : memref<8x256xf16>
    %d = ktdp.construct_distributed_memory_view(%p0, %p1, %p2, %p3 : memref<8x256xf16>, memref<8x256xf16>, memref<8x256xf16>, memref<8x256xf16>) : memref<32x256xf16>
    %dt = ktdp.construct_access_tile %d[0, %me * 64] {access_tile_set = affine_set<(a, b) : (a - 0 >= 0, -a + 31 >= 0, b - 0 >= 0, -b + 63 >= 0)>, access_tile_order = affine_map<(a, b) -> (a, b)>}
      : memref<32x256xf16> -> !ktdp.access_tile<32x64xindex>
    %c = ktdp.load %dt : <32x64xindex> -> tensor<32x64xf16>
    %yv = ktdp.construct_memory_view %y, sizes: [32, 256], strides: [256, 1] {
      coordinate_set = affine_set<(a, b) : (a - 0 >= 0, -a + 31 >= 0, b - 0 >= 0, -b + 255 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<32x256xf16>
    %yt = ktdp.construct_access_tile %yv[0, %me * 64] {access_tile_set = affine_set<(a, b) : (a - 0 >= 0, -a + 31 >= 0, b - 0 >= 0, -b + 63 >= 0)>, access_tile_order = affine_map<(a, b) -> (a, b)>}
      : memref<32x256xf16> -> !ktdp.access_tile<32x64xindex>
    %s = arith.addf %c, %c : tensor<32x64xf16>
    ktdp.store %s, %yt : tensor<32x64xf16>, <32x64xindex>
    return
  }
}
