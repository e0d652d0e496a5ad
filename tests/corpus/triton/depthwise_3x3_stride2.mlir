module {
  func.func @depthwise_3x3_stride2(%x_ptr: index, %w_ptr: index, %y_ptr: index) attributes {grid = [4]} {
    %pid = ktdp.get_compute_tile_id : index
    %z = arith.constant dense<0.0> : tensor<1x1xf32>
    %x = ktdp.construct_memory_view %x_ptr, sizes: [4, 8, 16, 3, 3], strides: [561, 66, 2, 33, 1] {coordinate_set = affine_set<(d0, d1, d2, d3, d4) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 7 >= 0, d2 >= 0, -d2 + 15 >= 0, d3 >= 0, -d3 + 2 >= 0, d4 >= 0, -d4 + 2 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x8x16x3x3xf32>
    %w = ktdp.construct_memory_view %w_ptr, sizes: [4, 3, 3], strides: [9, 3, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 2 >= 0, d2 >= 0, -d2 + 2 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x3x3xf32>
    %y = ktdp.construct_memory_view %y_ptr, sizes: [4, 8, 16], strides: [128, 16, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 7 >= 0, d2 >= 0, -d2 + 15 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x8x16xf32>
    %at65 = ktdp.construct_access_tile %x[%pid, 0, 0, 0, 0] {access_tile_set = affine_set<(d0, d1, d2, d3, d4) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 7 >= 0, d2 >= 0, -d2 + 15 >= 0, d3 >= 0, -d3 + 2 >= 0, d4 >= 0, -d4 + 2 >= 0)>, access_tile_order = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>} : memref<4x8x16x3x3xf32> -> !ktdp.access_tile<1x8x16x3x3xindex>
      %a = ktdp.load %at65 : !ktdp.access_tile<1x8x16x3x3xindex> -> tensor<1x8x16x3x3xf32>
    %at66 = ktdp.construct_access_tile %w[%pid, 0, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 2 >= 0, d2 >= 0, -d2 + 2 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<4x3x3xf32> -> !ktdp.access_tile<1x3x3xindex>
      %wv = ktdp.load %at66 : !ktdp.access_tile<1x3x3xindex> -> tensor<1x3x3xf32>
    %be67 = tensor.empty() : tensor<1x8x16x3x3xf32>
      %wb = linalg.broadcast ins(%wv : tensor<1x3x3xf32>) outs(%be67 : tensor<1x8x16x3x3xf32>) dimensions = [1, 2]
    %p = arith.mulf %a, %wb : tensor<1x8x16x3x3xf32>
    %z3 = arith.constant dense<0.0> : tensor<1x8x16xf32>
    %s = linalg.reduce { arith.addf } ins(%p : tensor<1x8x16x3x3xf32>) outs(%z3 : tensor<1x8x16xf32>) dimensions = [3, 4]
    %at68 = ktdp.construct_access_tile %y[%pid, 0, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 7 >= 0, d2 >= 0, -d2 + 15 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<4x8x16xf32> -> !ktdp.access_tile<1x8x16xindex>
      ktdp.store %s, %at68 : tensor<1x8x16xf32>, !ktdp.access_tile<1x8x16xindex>
    return
  }
}
