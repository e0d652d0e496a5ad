// Partitions with gaps between them (which read as zero), read transposed.
module {
  func.func @holes_transposed(%x: index, %y: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %c0 = arith.constant 0 : index
    %xv = ktdp.construct_memory_view %x, sizes: [16, 64], strides: [64, 1] {
      coordinate_set = affine_set<(a, b) : (a - 0 >= 0, -a + 15 >= 0, b - 0 >= 0, -b + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<16x64xf16>
    %own = ktdp.construct_memory_view %c0, sizes: [4, 64], strides: [64, 1] {
      coordinate_set = affine_set<(a, b) : (a - 0 >= 0, -a + 3 >= 0, b - 0 >= 0, -b + 63 >= 0)>, memory_space = #ktdp.memory_space<ct_local>} : memref<4x64xf16>
    %xt = ktdp.construct_access_tile %xv[%me * 4, 0] {access_tile_set = affine_set<(a, b) : (a - 0 >= 0, -a + 3 >= 0, b - 0 >= 0, -b + 63 >= 0)>, access_tile_order = affine_map<(a, b) -> (a, b)>}
      : memref<16x64xf16> -> !ktdp.access_tile<4x64xindex>
    %r = ktdp.load %xt : <4x64xindex> -> tensor<4x64xf16>
    %ot = ktdp.construct_access_tile %own[0, 0] {access_tile_set = affine_set<(a, b) : (a - 0 >= 0, -a + 3 >= 0, b - 0 >= 0, -b + 63 >= 0)>, access_tile_order = affine_map<(a, b) -> (a, b)>}
      : memref<4x64xf16> -> !ktdp.access_tile<4x64xindex>
    ktdp.store %r, %ot : tensor<4x64xf16>, <4x64xindex>
    %p0 = ktdp.construct_memory_view %c0, sizes: [4, 64], strides: [64, 1] {
      coordinate_set = affine_set<(a, b) : (a - 0 >= 0, -a + 3 >= 0, b - 0 >= 0, -b + 63 >= 0)>, memory_space = #ktdp.memory_space<ct_local, ct_id = 0>} : memref<4x64xf16>
    %p1 = ktdp.construct_memory_view %c0, sizes: [4, 64], strides: [64, 1] {
      coordinate_set = affine_set<(a, b) : (a - 8 >= 0, -a + 11 >= 0, b - 0 >= 0, -b + 63 >= 0)>, memory_space = #ktdp.memory_space<ct_local, ct_id = 1>} : memref<4x64xf16>
    %p2 = ktdp.construct_memory_view %c0, sizes: [4, 64], strides: [64, 1] {
      coordinate_set = affine_set<(a, b) : (a - 16 >= 0, -a + 19 >= 0, b - 0 >= 0, -b + 63 >= 0)>, memory_space = #ktdp.memory_space<ct_local, ct_id = 2>} : memref<4x64xf16>
    %p3 = ktdp.construct_memory_view %c0, sizes: [4, 64], strides: [64, 1] {
      coordinate_set = affine_set<(a, b) : (a - 24 >= 0, -a + 27 >= 0, b - 0 >= 0, -b + 63 >= 0)>, memory_space = #ktdp.memory_space<ct_local, ct_id = 3>} : memref<4x64xf16>
    %d = ktdp.construct_distributed_memory_view(%p0, %p1, %p2, %p3 : memref<4x64xf16>, memref<4x64xf16>, memref<4x64xf16>, memref<4x64xf16>) : memref<28x64xf16>
    %dt = ktdp.construct_access_tile %d[0, %me * 16] {access_tile_set = affine_set<(a, b) : (a - 0 >= 0, -a + 27 >= 0, b - 0 >= 0, -b + 15 >= 0)>, access_tile_order = affine_map<(a, b) -> (b, a)>}
      : memref<28x64xf16> -> !ktdp.access_tile<16x28xindex>
    %c = ktdp.load %dt : <16x28xindex> -> tensor<16x28xf16>
    %yv = ktdp.construct_memory_view %y, sizes: [64, 28], strides: [28, 1] {
      coordinate_set = affine_set<(a, b) : (a - 0 >= 0, -a + 63 >= 0, b - 0 >= 0, -b + 27 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<64x28xf16>
    %yt = ktdp.construct_access_tile %yv[%me * 16, 0] {access_tile_set = affine_set<(a, b) : (a - 0 >= 0, -a + 15 >= 0, b - 0 >= 0, -b + 27 >= 0)>, access_tile_order = affine_map<(a, b) -> (a, b)>}
      : memref<64x28xf16> -> !ktdp.access_tile<16x28xindex>
    %s = arith.addf %c, %c : tensor<16x28xf16>
    ktdp.store %s, %yt : tensor<16x28xf16>, <16x28xindex>
    return
  }
}
