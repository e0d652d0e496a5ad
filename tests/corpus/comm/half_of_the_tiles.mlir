// Only half of the tiles read the scratchpads of all.
module {
  func.func @half_of_the_tiles(%x: index, %y: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
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
    %yv = ktdp.construct_memory_view %y, sizes: [32, 64], strides: [64, 1] {
      coordinate_set = affine_set<(a, b) : (a - 0 >= 0, -a + 31 >= 0, b - 0 >= 0, -b + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<32x64xf16>
    %low = arith.cmpi slt, %me, %c2 : index
    scf.if %low {
    %dt = ktdp.construct_access_tile %d[%me * 16, 0] {access_tile_set = affine_set<(a, b) : (a - 0 >= 0, -a + 15 >= 0, b - 0 >= 0, -b + 63 >= 0)>, access_tile_order = affine_map<(a, b) -> (a, b)>}
      : memref<32x64xf16> -> !ktdp.access_tile<16x64xindex>
    %c = ktdp.load %dt : <16x64xindex> -> tensor<16x64xf16>
    %yt = ktdp.construct_access_tile %yv[%me * 16, 0] {access_tile_set = affine_set<(a, b) : (a - 0 >= 0, -a + 15 >= 0, b - 0 >= 0, -b + 63 >= 0)>, access_tile_order = affine_map<(a, b) -> (a, b)>}
      : memref<32x64xf16> -> !ktdp.access_tile<16x64xindex>
    %s = arith.addf %c, %c : tensor<16x64xf16>
    ktdp.store %s, %yt : tensor<16x64xf16>, <16x64xindex>
    }
    return
  }
}
