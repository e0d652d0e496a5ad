module {
  func.func @pixel_shuffle(%x_ptr: index, %y_ptr: index) attributes {grid = [2, 3]} {
    %b0:2 = ktdp.get_compute_tile_id : index, index
    %c4 = arith.constant 4 : index
    %c = arith.muli %b0#1, %c4 : index
    %x = ktdp.construct_memory_view %x_ptr, sizes: [2, 12, 6, 10], strides: [720, 60, 10, 1] {coordinate_set = affine_set<(d0, d1, d2, d3) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 11 >= 0, d2 >= 0, -d2 + 5 >= 0, d3 >= 0, -d3 + 9 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x12x6x10xf16>
    %y = ktdp.construct_memory_view %y_ptr, sizes: [2, 3, 12, 20], strides: [720, 240, 20, 1] {coordinate_set = affine_set<(d0, d1, d2, d3) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 2 >= 0, d2 >= 0, -d2 + 11 >= 0, d3 >= 0, -d3 + 19 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x3x12x20xf16>
    %at33 = ktdp.construct_access_tile %x[%b0#0, %c, 0, 0] {access_tile_set = affine_set<(d0, d1, d2, d3) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 3 >= 0, d2 >= 0, -d2 + 5 >= 0, d3 >= 0, -d3 + 9 >= 0)>, access_tile_order = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>} : memref<2x12x6x10xf16> -> !ktdp.access_tile<1x4x6x10xindex>
      %a = ktdp.load %at33 : !ktdp.access_tile<1x4x6x10xindex> -> tensor<1x4x6x10xf16>
    %e = tensor.expand_shape %a [[0], [1, 2], [3], [4]] output_shape [1, 2, 2, 6, 10] : tensor<1x4x6x10xf16> into tensor<1x2x2x6x10xf16>
    %em = tensor.empty() : tensor<1x6x2x10x2xf16>
    %t = linalg.transpose ins(%e : tensor<1x2x2x6x10xf16>) outs(%em : tensor<1x6x2x10x2xf16>) permutation = [0, 3, 1, 4, 2]
    %k = tensor.collapse_shape %t [[0], [1, 2], [3, 4]] : tensor<1x6x2x10x2xf16> into tensor<1x12x20xf16>
    %o = tensor.expand_shape %k [[0, 1], [2], [3]] output_shape [1, 1, 12, 20] : tensor<1x12x20xf16> into tensor<1x1x12x20xf16>
    %at34 = ktdp.construct_access_tile %y[%b0#0, %b0#1, 0, 0] {access_tile_set = affine_set<(d0, d1, d2, d3) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 0 >= 0, d2 >= 0, -d2 + 11 >= 0, d3 >= 0, -d3 + 19 >= 0)>, access_tile_order = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>} : memref<2x3x12x20xf16> -> !ktdp.access_tile<1x1x12x20xindex>
      ktdp.store %o, %at34 : tensor<1x1x12x20xf16>, !ktdp.access_tile<1x1x12x20xindex>
    return
  }
}
