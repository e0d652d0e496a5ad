// exp(x . w) times a tensor, plus a bias by column, times a scale by row: an epilogue as long as the product.
module {
  func.func @matmul_exp_gate(%a: index, %b: index, %c: index, %d: index, %e: index, %f: index) attributes {grid = [1]} {
    %z = arith.constant 0 : index
    %av = ktdp.construct_memory_view %a, sizes: [192, 64], strides: [64, 1] {coordinate_set = affine_set<(d0,d1) : (d0 >= 0, -d0 + 191 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<192x64xf16>
    %aa = ktdp.construct_access_tile %av[%z, %z] {access_tile_set = affine_set<(d0,d1) : (d0 >= 0, -d0 + 191 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0,d1) -> (d0,d1)>} : memref<192x64xf16> -> !ktdp.access_tile<192x64xindex>
    %at = ktdp.load %aa : !ktdp.access_tile<192x64xindex> -> tensor<192x64xf16>
    %bv = ktdp.construct_memory_view %b, sizes: [64, 128], strides: [128, 1] {coordinate_set = affine_set<(d0,d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 127 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<64x128xf16>
    %ba = ktdp.construct_access_tile %bv[%z, %z] {access_tile_set = affine_set<(d0,d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 127 >= 0)>, access_tile_order = affine_map<(d0,d1) -> (d0,d1)>} : memref<64x128xf16> -> !ktdp.access_tile<64x128xindex>
    %bt = ktdp.load %ba : !ktdp.access_tile<64x128xindex> -> tensor<64x128xf16>
    %cv = ktdp.construct_memory_view %c, sizes: [192, 128], strides: [128, 1] {coordinate_set = affine_set<(d0,d1) : (d0 >= 0, -d0 + 191 >= 0, d1 >= 0, -d1 + 127 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<192x128xf16>
    %ca = ktdp.construct_access_tile %cv[%z, %z] {access_tile_set = affine_set<(d0,d1) : (d0 >= 0, -d0 + 191 >= 0, d1 >= 0, -d1 + 127 >= 0)>, access_tile_order = affine_map<(d0,d1) -> (d0,d1)>} : memref<192x128xf16> -> !ktdp.access_tile<192x128xindex>
    %zero = arith.constant dense<0.0> : tensor<192x128xf32>
    %y0 = linalg.matmul ins(%at, %bt : tensor<192x64xf16>, tensor<64x128xf16>) outs(%zero : tensor<192x128xf32>) -> tensor<192x128xf32>
    %dv = ktdp.construct_memory_view %d, sizes: [192, 128], strides: [128, 1] {coordinate_set = affine_set<(d0,d1) : (d0 >= 0, -d0 + 191 >= 0, d1 >= 0, -d1 + 127 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<192x128xf16>
    %da = ktdp.construct_access_tile %dv[%z, %z] {access_tile_set = affine_set<(d0,d1) : (d0 >= 0, -d0 + 191 >= 0, d1 >= 0, -d1 + 127 >= 0)>, access_tile_order = affine_map<(d0,d1) -> (d0,d1)>} : memref<192x128xf16> -> !ktdp.access_tile<192x128xindex>
    %dt = ktdp.load %da : !ktdp.access_tile<192x128xindex> -> tensor<192x128xf16>
    %dw = arith.extf %dt : tensor<192x128xf16> to tensor<192x128xf32>
    %g = math.exp %y0 : tensor<192x128xf32>
    %y1 = arith.mulf %g, %dw : tensor<192x128xf32>
    %ev = ktdp.construct_memory_view %e, sizes: [128], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 127 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<128xf16>
    %ea = ktdp.construct_access_tile %ev[%z] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 127 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<128xf16> -> !ktdp.access_tile<128xindex>
    %et = ktdp.load %ea : !ktdp.access_tile<128xindex> -> tensor<128xf16>
    %eb0 = tensor.empty() : tensor<192x128xf16>
    %eb = linalg.broadcast ins(%et : tensor<128xf16>) outs(%eb0 : tensor<192x128xf16>) dimensions = [0]
    %ew = arith.extf %eb : tensor<192x128xf16> to tensor<192x128xf32>
    %y2 = arith.addf %y1, %ew : tensor<192x128xf32>
    %fv = ktdp.construct_memory_view %f, sizes: [192], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 191 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<192xf16>
    %fa = ktdp.construct_access_tile %fv[%z] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 191 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<192xf16> -> !ktdp.access_tile<192xindex>
    %ft = ktdp.load %fa : !ktdp.access_tile<192xindex> -> tensor<192xf16>
    %fb0 = tensor.empty() : tensor<192x128xf16>
    %fb = linalg.broadcast ins(%ft : tensor<192xf16>) outs(%fb0 : tensor<192x128xf16>) dimensions = [1]
    %fw = arith.extf %fb : tensor<192x128xf16> to tensor<192x128xf32>
    %y3 = arith.mulf %y2, %fw : tensor<192x128xf32>
    %o = arith.truncf %y3 : tensor<192x128xf32> to tensor<192x128xf16>
    ktdp.store %o, %ca : tensor<192x128xf16>, !ktdp.access_tile<192x128xindex>
    return
  }
}

