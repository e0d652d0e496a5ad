// Key heads repeated for grouped queries
module {
  func.func @repeat_kv(%k_ptr: index, %o_ptr: index) attributes {grid = [4]} {
    %c2 = arith.constant 2 : index
    %pid = ktdp.get_compute_tile_id : index
    %r = arith.muli %pid, %c2 : index
    %k = ktdp.construct_memory_view %k_ptr, sizes: [8, 2, 64], strides: [128, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 1 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<8x2x64xf16>
    %o = ktdp.construct_memory_view %o_ptr, sizes: [8, 8, 64], strides: [512, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 7 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<8x8x64xf16>
    %at111 = ktdp.construct_access_tile %k[%r, 0, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 1 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<8x2x64xf16> -> !ktdp.access_tile<2x2x64xindex>
      %v = ktdp.load %at111 : !ktdp.access_tile<2x2x64xindex> -> tensor<2x2x64xf16>
    %be112 = tensor.empty() : tensor<2x2x4x64xf16>
      %b = linalg.broadcast ins(%v : tensor<2x2x64xf16>) outs(%be112 : tensor<2x2x4x64xf16>) dimensions = [2]
    %c = tensor.collapse_shape %b [[0], [1, 2], [3]] : tensor<2x2x4x64xf16> into tensor<2x8x64xf16>
    %at113 = ktdp.construct_access_tile %o[%r, 0, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 7 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<8x8x64xf16> -> !ktdp.access_tile<2x8x64xindex>
      ktdp.store %c, %at113 : tensor<2x8x64xf16>, !ktdp.access_tile<2x8x64xindex>
    return
  }
}
