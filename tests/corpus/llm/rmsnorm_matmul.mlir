// Llama: rmsnorm of the rows, then a projection, one kernel.
module {
  func.func @rmsnorm_matmul(%x: index, %g: index, %w: index, %c: index) attributes {grid = [2]} {
    %pid = ktdp.get_compute_tile_id : index
    %z = arith.constant 0 : index
    %bm = arith.constant 4 : index
    %m0 = arith.muli %pid, %bm : index
    %xv = ktdp.construct_memory_view %x, sizes: [8, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<8x64xf16>
    %gv = ktdp.construct_memory_view %g, sizes: [64], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<64xf16>
    %wv = ktdp.construct_memory_view %w, sizes: [64, 32], strides: [32, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 31 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<64x32xf16>
    %cv = ktdp.construct_memory_view %c, sizes: [8, 32], strides: [32, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 31 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<8x32xf16>
    %xt_t = ktdp.construct_access_tile %xv[%m0, %z] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<8x64xf16> -> !ktdp.access_tile<4x64xindex>
    %xt = ktdp.load %xt_t : !ktdp.access_tile<4x64xindex> -> tensor<4x64xf16>
    %gt_t = ktdp.construct_access_tile %gv[%z] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 63 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<64xf16> -> !ktdp.access_tile<64xindex>
    %gt = ktdp.load %gt_t : !ktdp.access_tile<64xindex> -> tensor<64xf16>
    %wt_t = ktdp.construct_access_tile %wv[%z, %z] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<64x32xf16> -> !ktdp.access_tile<64x32xindex>
    %wt = ktdp.load %wt_t : !ktdp.access_tile<64x32xindex> -> tensor<64x32xf16>
    %xw = arith.extf %xt : tensor<4x64xf16> to tensor<4x64xf32>
    %sq = arith.mulf %xw, %xw : tensor<4x64xf32>
    %z4 = arith.constant dense<0.000000e+00> : tensor<4xf32>
    %ss = linalg.reduce { arith.addf } ins(%sq : tensor<4x64xf32>) outs(%z4 : tensor<4xf32>) dimensions = [1]
    %inv = arith.constant dense<1.562500e-02> : tensor<4xf32>
    %ms = arith.mulf %ss, %inv : tensor<4xf32>
    %eps = arith.constant dense<1.000000e-05> : tensor<4xf32>
    %me = arith.addf %ms, %eps : tensor<4xf32>
    %rs = math.rsqrt %me : tensor<4xf32>
    %rb_e = tensor.empty() : tensor<4x64xf32>
    %rb = linalg.broadcast ins(%rs : tensor<4xf32>) outs(%rb_e : tensor<4x64xf32>) dimensions = [1]
    %xn = arith.mulf %xw, %rb : tensor<4x64xf32>
    %gw = arith.extf %gt : tensor<64xf16> to tensor<64xf32>
    %gb_e = tensor.empty() : tensor<4x64xf32>
    %gb = linalg.broadcast ins(%gw : tensor<64xf32>) outs(%gb_e : tensor<4x64xf32>) dimensions = [0]
    %xg = arith.mulf %xn, %gb : tensor<4x64xf32>
    %xh = arith.truncf %xg : tensor<4x64xf32> to tensor<4x64xf16>
    %zero = arith.constant dense<0.000000e+00> : tensor<4x32xf32>
    %y = linalg.matmul ins(%xh, %wt : tensor<4x64xf16>, tensor<64x32xf16>) outs(%zero : tensor<4x32xf32>) -> tensor<4x32xf32>
    %o = arith.truncf %y : tensor<4x32xf32> to tensor<4x32xf16>
    %o_st = ktdp.construct_access_tile %cv[%m0, %z] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<8x32xf16> -> !ktdp.access_tile<4x32xindex>
    ktdp.store %o, %o_st : tensor<4x32xf16>, !ktdp.access_tile<4x32xindex>
    return
  }
}
