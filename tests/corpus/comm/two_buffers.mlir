// One logical tensor in two buffers of device memory; no interconnect is needed.
module {
  func.func @two_buffers(%a: index, %b: index, %y: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %a0 = ktdp.construct_memory_view %a, sizes: [16, 64], strides: [64, 1] {
      coordinate_set = affine_set<(a, b) : (a - 0 >= 0, -a + 15 >= 0, b - 0 >= 0, -b + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<16x64xf16>
    %b0 = ktdp.construct_memory_view %b, sizes: [16, 64], strides: [64, 1] {
      coordinate_set = affine_set<(a, b) : (a - 16 >= 0, -a + 31 >= 0, b - 0 >= 0, -b + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<16x64xf16>
    %d = ktdp.construct_distributed_memory_view(%a0, %b0 : memref<16x64xf16>, memref<16x64xf16>) : memref<32x64xf16>
    %dt = ktdp.construct_access_tile %d[%me * 8, 0] {access_tile_set = affine_set<(a, b) : (a - 0 >= 0, -a + 7 >= 0, b - 0 >= 0, -b + 63 >= 0)>, access_tile_order = affine_map<(a, b) -> (a, b)>}
      : memref<32x64xf16> -> !ktdp.access_tile<8x64xindex>
    %c = ktdp.load %dt : <8x64xindex> -> tensor<8x64xf16>
    %yv = ktdp.construct_memory_view %y, sizes: [32, 64], strides: [64, 1] {
      coordinate_set = affine_set<(a, b) : (a - 0 >= 0, -a + 31 >= 0, b - 0 >= 0, -b + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<32x64xf16>
    %yt = ktdp.construct_access_tile %yv[%me * 8, 0] {access_tile_set = affine_set<(a, b) : (a - 0 >= 0, -a + 7 >= 0, b - 0 >= 0, -b + 63 >= 0)>, access_tile_order = affine_map<(a, b) -> (a, b)>}
      : memref<32x64xf16> -> !ktdp.access_tile<8x64xindex>
    %s = arith.addf %c, %c : tensor<8x64xf16>
    ktdp.store %s, %yt : tensor<8x64xf16>, <8x64xindex>
    return
  }
}
