module {
  func.func @residual_rmsnorm(%x_ptr: index, %r_ptr: index, %w_ptr: index, %o_ptr: index, %ro_ptr: index) attributes {grid = [4]} {
    %c4 = arith.constant 4 : index
    %pid = ktdp.get_compute_tile_id : index
    %r = arith.muli %pid, %c4 : index
    %z = arith.constant dense<0.0> : tensor<4xf32>
    %n = arith.constant dense<1.28e+02> : tensor<4xf32>
    %eps = arith.constant dense<1.0e-06> : tensor<4xf32>
    %x = ktdp.construct_memory_view %x_ptr, sizes: [16, 128], strides: [128, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 127 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<16x128xbf16>
    %rs = ktdp.construct_memory_view %r_ptr, sizes: [16, 128], strides: [128, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 127 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<16x128xbf16>
    %w = ktdp.construct_memory_view %w_ptr, sizes: [128], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 127 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<128xbf16>
    %o = ktdp.construct_memory_view %o_ptr, sizes: [16, 128], strides: [128, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 127 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<16x128xbf16>
    %ro = ktdp.construct_memory_view %ro_ptr, sizes: [16, 128], strides: [128, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 127 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<16x128xbf16>
    %at0 = ktdp.construct_access_tile %x[%r, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 127 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<16x128xbf16> -> !ktdp.access_tile<4x128xindex>
      %a = ktdp.load %at0 : !ktdp.access_tile<4x128xindex> -> tensor<4x128xbf16>
    %at1 = ktdp.construct_access_tile %rs[%r, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 127 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<16x128xbf16> -> !ktdp.access_tile<4x128xindex>
      %b = ktdp.load %at1 : !ktdp.access_tile<4x128xindex> -> tensor<4x128xbf16>
    %at2 = ktdp.construct_access_tile %w[0] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 127 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<128xbf16> -> !ktdp.access_tile<128xindex>
      %wv = ktdp.load %at2 : !ktdp.access_tile<128xindex> -> tensor<128xbf16>
    %af = arith.extf %a : tensor<4x128xbf16> to tensor<4x128xf32>
    %bf = arith.extf %b : tensor<4x128xbf16> to tensor<4x128xf32>
    %s = arith.addf %af, %bf : tensor<4x128xf32>
    %sh = arith.truncf %s : tensor<4x128xf32> to tensor<4x128xbf16>
    %at3 = ktdp.construct_access_tile %ro[%r, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 127 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<16x128xbf16> -> !ktdp.access_tile<4x128xindex>
      ktdp.store %sh, %at3 : tensor<4x128xbf16>, !ktdp.access_tile<4x128xindex>
    %q = arith.mulf %s, %s : tensor<4x128xf32>
    %t = linalg.reduce { arith.addf } ins(%q : tensor<4x128xf32>) outs(%z : tensor<4xf32>) dimensions = [1]
    %m = arith.divf %t, %n : tensor<4xf32>
    %me = arith.addf %m, %eps : tensor<4xf32>
    %i = math.rsqrt %me : tensor<4xf32>
    %be4 = tensor.empty() : tensor<4x128xf32>
      %ib = linalg.broadcast ins(%i : tensor<4xf32>) outs(%be4 : tensor<4x128xf32>) dimensions = [1]
    %y = arith.mulf %s, %ib : tensor<4x128xf32>
    %yh = arith.truncf %y : tensor<4x128xf32> to tensor<4x128xbf16>
    %be5 = tensor.empty() : tensor<4x128xbf16>
      %wb = linalg.broadcast ins(%wv : tensor<128xbf16>) outs(%be5 : tensor<4x128xbf16>) dimensions = [0]
    %o1 = arith.mulf %yh, %wb : tensor<4x128xbf16>
    %at6 = ktdp.construct_access_tile %o[%r, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 127 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<16x128xbf16> -> !ktdp.access_tile<4x128xindex>
      ktdp.store %o1, %at6 : tensor<4x128xbf16>, !ktdp.access_tile<4x128xindex>
    return
  }
}
