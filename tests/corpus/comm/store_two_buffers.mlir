// A tile straddles two buffers of device memory.
module {
  func.func @store_two_buffers(%x: index, %a: index, %b: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %a0 = ktdp.construct_memory_view %a, sizes: [12, 64], strides: [64, 1] {
      coordinate_set = affine_set<(a, b) : (a - 0 >= 0, -a + 11 >= 0, b - 0 >= 0, -b + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<12x64xf16>
    %b0 = ktdp.construct_memory_view %b, sizes: [20, 64], strides: [64, 1] {
      coordinate_set = affine_set<(a, b) : (a - 12 >= 0, -a + 31 >= 0, b - 0 >= 0, -b + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<20x64xf16>
    %d = ktdp.construct_distributed_memory_view(%a0, %b0 : memref<12x64xf16>, memref<20x64xf16>) : memref<32x64xf16>
    %xv = ktdp.construct_memory_view %x, sizes: [32, 64], strides: [64, 1] {
      coordinate_set = affine_set<(a, b) : (a - 0 >= 0, -a + 31 >= 0, b - 0 >= 0, -b + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<32x64xf16>
    %xt = ktdp.construct_access_tile %xv[%me * 8, 0] {access_tile_set = affine_set<(a, b) : (a - 0 >= 0, -a + 7 >= 0, b - 0 >= 0, -b + 63 >= 0)>, access_tile_order = affine_map<(a, b) -> (a, b)>}
      : memref<32x64xf16> -> !ktdp.access_tile<8x64xindex>
    %c = ktdp.load %xt : <8x64xindex> -> tensor<8x64xf16>
    %dt = ktdp.construct_access_tile %d[%me * 8, 0] {access_tile_set = affine_set<(a, b) : (a - 0 >= 0, -a + 7 >= 0, b - 0 >= 0, -b + 63 >= 0)>, access_tile_order = affine_map<(a, b) -> (a, b)>}
      : memref<32x64xf16> -> !ktdp.access_tile<8x64xindex>
    ktdp.store %c, %dt : tensor<8x64xf16>, <8x64xindex>
    return
  }
}
