// Intermediates in the scratchpad at fixed places
module {
  func.func @lx_pool_chain(%x_ptr: index, %w_ptr: index, %y_ptr: index) attributes {grid = [4]} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c65536 = arith.constant 8192 : index
    %pid = ktdp.get_compute_tile_id : index
    %r = arith.muli %pid, %c4 : index
    %z = arith.constant dense<0.000000e+00> : tensor<4xf32>
    %x = ktdp.construct_memory_view %x_ptr, sizes: [16, 256], strides: [256, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 255 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<16x256xf16>
    %w = ktdp.construct_memory_view %w_ptr, sizes: [256], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 255 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<256xf16>
    %y = ktdp.construct_memory_view %y_ptr, sizes: [16, 256], strides: [256, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 255 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<16x256xf16>
    %t0 = ktdp.construct_memory_view %c0, sizes: [4, 256], strides: [256, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 255 >= 0)>, memory_space = #ktdp.spyre_memory_space<LX>} : memref<4x256xf16>
    %t1 = ktdp.construct_memory_view %c65536, sizes: [4, 256], strides: [256, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 255 >= 0)>, memory_space = #ktdp.spyre_memory_space<LX>} : memref<4x256xf32>
    %at97 = ktdp.construct_access_tile %x[%r, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 255 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<16x256xf16> -> !ktdp.access_tile<4x256xindex>
      %v = ktdp.load %at97 : !ktdp.access_tile<4x256xindex> -> tensor<4x256xf16>
    %at98 = ktdp.construct_access_tile %w[0] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 255 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<256xf16> -> !ktdp.access_tile<256xindex>
      %wv = ktdp.load %at98 : !ktdp.access_tile<256xindex> -> tensor<256xf16>
    %be99 = tensor.empty() : tensor<4x256xf16>
      %wb = linalg.broadcast ins(%wv : tensor<256xf16>) outs(%be99 : tensor<4x256xf16>) dimensions = [0]
    %p = arith.mulf %v, %wb : tensor<4x256xf16>
    %at100 = ktdp.construct_access_tile %t0[0, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 255 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<4x256xf16> -> !ktdp.access_tile<4x256xindex>
      ktdp.store %p, %at100 : tensor<4x256xf16>, !ktdp.access_tile<4x256xindex>
    %at101 = ktdp.construct_access_tile %t0[0, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 255 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<4x256xf16> -> !ktdp.access_tile<4x256xindex>
      %q = ktdp.load %at101 : !ktdp.access_tile<4x256xindex> -> tensor<4x256xf16>
    %qf = arith.extf %q : tensor<4x256xf16> to tensor<4x256xf32>
    %ex = math.tanh %qf : tensor<4x256xf32>
    %at102 = ktdp.construct_access_tile %t1[0, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 255 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<4x256xf32> -> !ktdp.access_tile<4x256xindex>
      ktdp.store %ex, %at102 : tensor<4x256xf32>, !ktdp.access_tile<4x256xindex>
    %at103 = ktdp.construct_access_tile %t1[0, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 255 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<4x256xf32> -> !ktdp.access_tile<4x256xindex>
      %u = ktdp.load %at103 : !ktdp.access_tile<4x256xindex> -> tensor<4x256xf32>
    %s = linalg.reduce { arith.addf } ins(%u : tensor<4x256xf32>) outs(%z : tensor<4xf32>) dimensions = [1]
    %be104 = tensor.empty() : tensor<4x256xf32>
      %sb = linalg.broadcast ins(%s : tensor<4xf32>) outs(%be104 : tensor<4x256xf32>) dimensions = [1]
    %o = arith.subf %u, %sb : tensor<4x256xf32>
    %h = arith.truncf %o : tensor<4x256xf32> to tensor<4x256xf16>
    %at105 = ktdp.construct_access_tile %y[%r, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 255 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<16x256xf16> -> !ktdp.access_tile<4x256xindex>
      ktdp.store %h, %at105 : tensor<4x256xf16>, !ktdp.access_tile<4x256xindex>
    return
  }
}
