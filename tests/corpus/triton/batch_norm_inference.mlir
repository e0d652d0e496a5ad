// Batch norm with stored statistics and ReLU, channels in the middle
module {
  func.func @batch_norm_inference(%x_ptr: index, %mean: index, %var: index, %w: index, %b: index, %y_ptr: index) attributes {grid = [2, 3]} {
    %c2 = arith.constant 2 : index
    %eps = arith.constant dense<1.000000e-03> : tensor<2xf32>
    %b0:2 = ktdp.get_compute_tile_id : index, index
    %c = arith.muli %b0#1, %c2 : index
    %x = ktdp.construct_memory_view %x_ptr, sizes: [2, 6, 50], strides: [300, 50, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 5 >= 0, d2 >= 0, -d2 + 49 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x6x50xf16>
    %mv = ktdp.construct_memory_view %mean, sizes: [6], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 5 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<6xf32>
    %vv = ktdp.construct_memory_view %var, sizes: [6], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 5 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<6xf32>
    %wv = ktdp.construct_memory_view %w, sizes: [6], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 5 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<6xf32>
    %bv = ktdp.construct_memory_view %b, sizes: [6], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 5 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<6xf32>
    %y = ktdp.construct_memory_view %y_ptr, sizes: [2, 6, 50], strides: [300, 50, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 5 >= 0, d2 >= 0, -d2 + 49 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x6x50xf16>
    %at42 = ktdp.construct_access_tile %x[%b0#0, %c, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 1 >= 0, d2 >= 0, -d2 + 49 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<2x6x50xf16> -> !ktdp.access_tile<1x2x50xindex>
      %v = ktdp.load %at42 : !ktdp.access_tile<1x2x50xindex> -> tensor<1x2x50xf16>
    %at43 = ktdp.construct_access_tile %mv[%c] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<6xf32> -> !ktdp.access_tile<2xindex>
      %m = ktdp.load %at43 : !ktdp.access_tile<2xindex> -> tensor<2xf32>
    %at44 = ktdp.construct_access_tile %vv[%c] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<6xf32> -> !ktdp.access_tile<2xindex>
      %s = ktdp.load %at44 : !ktdp.access_tile<2xindex> -> tensor<2xf32>
    %at45 = ktdp.construct_access_tile %wv[%c] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<6xf32> -> !ktdp.access_tile<2xindex>
      %w1 = ktdp.load %at45 : !ktdp.access_tile<2xindex> -> tensor<2xf32>
    %at46 = ktdp.construct_access_tile %bv[%c] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<6xf32> -> !ktdp.access_tile<2xindex>
      %b1 = ktdp.load %at46 : !ktdp.access_tile<2xindex> -> tensor<2xf32>
    %sa = math.absf %s : tensor<2xf32>
    %se = arith.addf %sa, %eps : tensor<2xf32>
    %r = math.rsqrt %se : tensor<2xf32>
    %k = arith.mulf %r, %w1 : tensor<2xf32>
    %mk = arith.mulf %m, %k : tensor<2xf32>
    %t = arith.subf %b1, %mk : tensor<2xf32>
    %be47 = tensor.empty() : tensor<1x2x50xf32>
      %kb = linalg.broadcast ins(%k : tensor<2xf32>) outs(%be47 : tensor<1x2x50xf32>) dimensions = [0, 2]
    %be48 = tensor.empty() : tensor<1x2x50xf32>
      %tb = linalg.broadcast ins(%t : tensor<2xf32>) outs(%be48 : tensor<1x2x50xf32>) dimensions = [0, 2]
    %f = arith.extf %v : tensor<1x2x50xf16> to tensor<1x2x50xf32>
    %f1 = arith.mulf %f, %kb : tensor<1x2x50xf32>
    %f2 = arith.addf %f1, %tb : tensor<1x2x50xf32>
    %zz = arith.constant dense<0.000000e+00> : tensor<1x2x50xf32>
    %f3 = arith.maximumf %f2, %zz : tensor<1x2x50xf32>
    %h = arith.truncf %f3 : tensor<1x2x50xf32> to tensor<1x2x50xf16>
    %at49 = ktdp.construct_access_tile %y[%b0#0, %c, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 1 >= 0, d2 >= 0, -d2 + 49 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<2x6x50xf16> -> !ktdp.access_tile<1x2x50xindex>
      ktdp.store %h, %at49 : tensor<1x2x50xf16>, !ktdp.access_tile<1x2x50xindex>
    return
  }
}
