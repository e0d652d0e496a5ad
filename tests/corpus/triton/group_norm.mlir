// Group norm over channels and pixels, weight and bias per channel
module {
  func.func @group_norm(%x_ptr: index, %w_ptr: index, %b_ptr: index, %y_ptr: index) attributes {grid = [2, 4]} {
    %z = arith.constant dense<0.000000e+00> : tensor<1x1xf32>
    %n = arith.constant dense<8.000000e+02> : tensor<1x1xf32>
    %eps = arith.constant dense<9.99999974E-6> : tensor<1x1xf32>
    %b0:2 = ktdp.get_compute_tile_id : index, index
    %x = ktdp.construct_memory_view %x_ptr, sizes: [2, 4, 8, 100], strides: [3200, 800, 100, 1] {coordinate_set = affine_set<(d0, d1, d2, d3) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 3 >= 0, d2 >= 0, -d2 + 7 >= 0, d3 >= 0, -d3 + 99 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x4x8x100xf32>
    %w = ktdp.construct_memory_view %w_ptr, sizes: [4, 8], strides: [8, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 7 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x8xf32>
    %b = ktdp.construct_memory_view %b_ptr, sizes: [4, 8], strides: [8, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 7 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x8xf32>
    %y = ktdp.construct_memory_view %y_ptr, sizes: [2, 4, 8, 100], strides: [3200, 800, 100, 1] {coordinate_set = affine_set<(d0, d1, d2, d3) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 3 >= 0, d2 >= 0, -d2 + 7 >= 0, d3 >= 0, -d3 + 99 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x4x8x100xf32>
    %at34 = ktdp.construct_access_tile %x[%b0#0, %b0#1, 0, 0] {access_tile_set = affine_set<(d0, d1, d2, d3) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 0 >= 0, d2 >= 0, -d2 + 7 >= 0, d3 >= 0, -d3 + 99 >= 0)>, access_tile_order = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>} : memref<2x4x8x100xf32> -> !ktdp.access_tile<1x1x8x100xindex>
      %v = ktdp.load %at34 : !ktdp.access_tile<1x1x8x100xindex> -> tensor<1x1x8x100xf32>
    %at35 = ktdp.construct_access_tile %w[%b0#1, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 7 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<4x8xf32> -> !ktdp.access_tile<1x8xindex>
      %wv = ktdp.load %at35 : !ktdp.access_tile<1x8xindex> -> tensor<1x8xf32>
    %at36 = ktdp.construct_access_tile %b[%b0#1, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 7 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<4x8xf32> -> !ktdp.access_tile<1x8xindex>
      %bv = ktdp.load %at36 : !ktdp.access_tile<1x8xindex> -> tensor<1x8xf32>
    %s = linalg.reduce { arith.addf } ins(%v : tensor<1x1x8x100xf32>) outs(%z : tensor<1x1xf32>) dimensions = [2, 3]
    %m = arith.divf %s, %n : tensor<1x1xf32>
    %be37 = tensor.empty() : tensor<1x1x8x100xf32>
      %mb = linalg.broadcast ins(%m : tensor<1x1xf32>) outs(%be37 : tensor<1x1x8x100xf32>) dimensions = [2, 3]
    %d = arith.subf %v, %mb : tensor<1x1x8x100xf32>
    %q = arith.mulf %d, %d : tensor<1x1x8x100xf32>
    %s2 = linalg.reduce { arith.addf } ins(%q : tensor<1x1x8x100xf32>) outs(%z : tensor<1x1xf32>) dimensions = [2, 3]
    %var = arith.divf %s2, %n : tensor<1x1xf32>
    %ve = arith.addf %var, %eps : tensor<1x1xf32>
    %r = math.rsqrt %ve : tensor<1x1xf32>
    %be38 = tensor.empty() : tensor<1x1x8x100xf32>
      %rb = linalg.broadcast ins(%r : tensor<1x1xf32>) outs(%be38 : tensor<1x1x8x100xf32>) dimensions = [2, 3]
    %h = arith.mulf %d, %rb : tensor<1x1x8x100xf32>
    %w4 = tensor.expand_shape %wv [[0], [1, 2]] output_shape [1, 1, 8] : tensor<1x8xf32> into tensor<1x1x8xf32>
    %be39 = tensor.empty() : tensor<1x1x8x100xf32>
      %wb = linalg.broadcast ins(%w4 : tensor<1x1x8xf32>) outs(%be39 : tensor<1x1x8x100xf32>) dimensions = [3]
    %b4 = tensor.expand_shape %bv [[0], [1, 2]] output_shape [1, 1, 8] : tensor<1x8xf32> into tensor<1x1x8xf32>
    %be40 = tensor.empty() : tensor<1x1x8x100xf32>
      %bb = linalg.broadcast ins(%b4 : tensor<1x1x8xf32>) outs(%be40 : tensor<1x1x8x100xf32>) dimensions = [3]
    %h2 = arith.mulf %h, %wb : tensor<1x1x8x100xf32>
    %h3 = arith.addf %h2, %bb : tensor<1x1x8x100xf32>
    %at41 = ktdp.construct_access_tile %y[%b0#0, %b0#1, 0, 0] {access_tile_set = affine_set<(d0, d1, d2, d3) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 0 >= 0, d2 >= 0, -d2 + 7 >= 0, d3 >= 0, -d3 + 99 >= 0)>, access_tile_order = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>} : memref<2x4x8x100xf32> -> !ktdp.access_tile<1x1x8x100xindex>
      ktdp.store %h3, %at41 : tensor<1x1x8x100xf32>, !ktdp.access_tile<1x1x8x100xindex>
    return
  }
}
