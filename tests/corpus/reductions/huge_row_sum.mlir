// A very long row: 600000 f16 elements per tile do not fit the scratchpad; the sum must be cut in chunks.
module {
  func.func @huge_row_sum(%x: index, %out: index) attributes {grid = [2]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [2, 600000], strides: [600000, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 599999 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<2x600000xf16>
    %t1 = ktdp.construct_access_tile %xv[%me * 1, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 0 >= 0, j >= 0, -j + 599999 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<2x600000xf16> -> !ktdp.access_tile<1x600000xindex>
    %d2 = ktdp.load %t1 : <1x600000xindex> -> tensor<1x600000xf16>
    %v3 = arith.constant dense<0.0> : tensor<1xf16>
    %v4 = linalg.reduce { arith.addf } ins(%d2 : tensor<1x600000xf16>) outs(%v3 : tensor<1xf16>) dimensions = [1]
    %outv = ktdp.construct_memory_view %out, sizes: [2], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 1 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<2xf16>
    %t5 = ktdp.construct_access_tile %outv[%me] {
      access_tile_set = affine_set<(i) : (i >= 0, -i + 0 >= 0)>,
      access_tile_order = affine_map<(i) -> (i)>
    } : memref<2xf16> -> !ktdp.access_tile<1xindex>
    ktdp.store %v4, %t5 : tensor<1xf16>, <1xindex>
    return
  }
}
