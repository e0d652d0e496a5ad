module {
  func.func @upsample_nearest(%x_ptr: index, %y_ptr: index) attributes {grid = [6]} {
    %pid = ktdp.get_compute_tile_id : index
    %x = ktdp.construct_memory_view %x_ptr, sizes: [6, 8, 20], strides: [160, 20, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 5 >= 0, d1 >= 0, -d1 + 7 >= 0, d2 >= 0, -d2 + 19 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<6x8x20xf16>
    %y = ktdp.construct_memory_view %y_ptr, sizes: [6, 16, 40], strides: [640, 40, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 5 >= 0, d1 >= 0, -d1 + 15 >= 0, d2 >= 0, -d2 + 39 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<6x16x40xf16>
    %at35 = ktdp.construct_access_tile %x[%pid, 0, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 7 >= 0, d2 >= 0, -d2 + 19 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<6x8x20xf16> -> !ktdp.access_tile<1x8x20xindex>
      %a = ktdp.load %at35 : !ktdp.access_tile<1x8x20xindex> -> tensor<1x8x20xf16>
    %be36 = tensor.empty() : tensor<1x8x2x20x2xf16>
      %b = linalg.broadcast ins(%a : tensor<1x8x20xf16>) outs(%be36 : tensor<1x8x2x20x2xf16>) dimensions = [2, 4]
    %k = tensor.collapse_shape %b [[0], [1, 2], [3, 4]] : tensor<1x8x2x20x2xf16> into tensor<1x16x40xf16>
    %at37 = ktdp.construct_access_tile %y[%pid, 0, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 15 >= 0, d2 >= 0, -d2 + 39 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<6x16x40xf16> -> !ktdp.access_tile<1x16x40xindex>
      ktdp.store %k, %at37 : tensor<1x16x40xf16>, !ktdp.access_tile<1x16x40xindex>
    return
  }
}
