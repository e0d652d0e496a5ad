// Heads and positions exchanged
module {
  func.func @permute_0213(%x_ptr: index, %y_ptr: index) attributes {grid = [2, 4]} {
    %c2 = arith.constant 2 : index
    %b0:2 = ktdp.get_compute_tile_id : index, index
    %s = arith.muli %b0#1, %c2 : index
    %x = ktdp.construct_memory_view %x_ptr, sizes: [2, 8, 4, 64], strides: [2048, 256, 64, 1] {coordinate_set = affine_set<(d0, d1, d2, d3) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 7 >= 0, d2 >= 0, -d2 + 3 >= 0, d3 >= 0, -d3 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x8x4x64xf16>
    %y = ktdp.construct_memory_view %y_ptr, sizes: [2, 4, 8, 64], strides: [2048, 512, 64, 1] {coordinate_set = affine_set<(d0, d1, d2, d3) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 3 >= 0, d2 >= 0, -d2 + 7 >= 0, d3 >= 0, -d3 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x4x8x64xf16>
    %at50 = ktdp.construct_access_tile %x[%b0#0, %s, 0, 0] {access_tile_set = affine_set<(d0, d1, d2, d3) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 1 >= 0, d2 >= 0, -d2 + 3 >= 0, d3 >= 0, -d3 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>} : memref<2x8x4x64xf16> -> !ktdp.access_tile<1x2x4x64xindex>
      %v = ktdp.load %at50 : !ktdp.access_tile<1x2x4x64xindex> -> tensor<1x2x4x64xf16>
    %e = tensor.empty() : tensor<1x4x2x64xf16>
    %t = linalg.transpose ins(%v : tensor<1x2x4x64xf16>) outs(%e : tensor<1x4x2x64xf16>) permutation = [0, 2, 1, 3]
    %at51 = ktdp.construct_access_tile %y[%b0#0, 0, %s, 0] {access_tile_set = affine_set<(d0, d1, d2, d3) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 3 >= 0, d2 >= 0, -d2 + 1 >= 0, d3 >= 0, -d3 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>} : memref<2x4x8x64xf16> -> !ktdp.access_tile<1x4x2x64xindex>
      ktdp.store %t, %at51 : tensor<1x4x2x64xf16>, !ktdp.access_tile<1x4x2x64xindex>
    return
  }
}
