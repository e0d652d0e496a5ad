// Reads columns of what another kernel has left in the scratchpads of all tiles.
module {
  func.func @handover_read(%y: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %c0 = arith.constant 0 : index
    %yv = ktdp.construct_memory_view %y, sizes: [32, 64], strides: [64, 1] {
      coordinate_set = affine_set<(a, b) : (a - 0 >= 0, -a + 31 >= 0, b - 0 >= 0, -b + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<32x64xf16>
    %p0 = ktdp.construct_memory_view %c0, sizes: [8, 64], strides: [64, 1] {
      coordinate_set = affine_set<(a, b) : (a - 0 >= 0, -a + 7 >= 0, b - 0 >= 0, -b + 63 >= 0)>, memory_space = #ktdp.memory_space<ct_local, ct_id = 0>} : memref<8x64xf16>
    %p1 = ktdp.construct_memory_view %c0, sizes: [8, 64], strides: [64, 1] {
      coordinate_set = affine_set<(a, b) : (a - 8 >= 0, -a + 15 >= 0, b - 0 >= 0, -b + 63 >= 0)>, memory_space = #ktdp.memory_space<ct_local, ct_id = 1>} : memref<8x64xf16>
    %p2 = ktdp.construct_memory_view %c0, sizes: [8, 64], strides: [64, 1] {
      coordinate_set = affine_set<(a, b) : (a - 16 >= 0, -a + 23 >= 0, b - 0 >= 0, -b + 63 >= 0)>, memory_space = #ktdp.memory_space<ct_local, ct_id = 2>} : memref<8x64xf16>
    %p3 = ktdp.construct_memory_view %c0, sizes: [8, 64], strides: [64, 1] {
      coordinate_set = affine_set<(a, b) : (a - 24 >= 0, -a + 31 >= 0, b - 0 >= 0, -b + 63 >= 0)>, memory_space = #ktdp.memory_space<ct_local, ct_id = 3>} : memref<8x64xf16>
    %d = ktdp.construct_distributed_memory_view(%p0, %p1, %p2, %p3 : memref<8x64xf16>, memref<8x64xf16>, memref<8x64xf16>, memref<8x64xf16>) : memref<32x64xf16>
    %dt = ktdp.construct_access_tile %d[0, %me * 16] {access_tile_set = affine_set<(a, b) : (a - 0 >= 0, -a + 31 >= 0, b - 0 >= 0, -b + 15 >= 0)>, access_tile_order = affine_map<(a, b) -> (a, b)>}
      : memref<32x64xf16> -> !ktdp.access_tile<32x16xindex>
    %r = ktdp.load %dt : <32x16xindex> -> tensor<32x16xf16>
    %yt = ktdp.construct_access_tile %yv[0, %me * 16] {access_tile_set = affine_set<(a, b) : (a - 0 >= 0, -a + 31 >= 0, b - 0 >= 0, -b + 15 >= 0)>, access_tile_order = affine_map<(a, b) -> (a, b)>}
      : memref<32x64xf16> -> !ktdp.access_tile<32x16xindex>
    %s = arith.mulf %r, %r : tensor<32x16xf16>
    ktdp.store %s, %yt : tensor<32x16xf16>, <32x16xindex>
    return
  }
}
