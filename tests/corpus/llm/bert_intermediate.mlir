// BERT-base intermediate layer at its size: 512 x 768 x 3072, bias and GELU fused.
module {
  func.func @bert_intermediate(%a: index, %b: index, %c: index, %bias: index) attributes {grid = [4, 8]} {
    %pid:2 = ktdp.get_compute_tile_id : index, index
    %bm = arith.constant 128 : index
    %bn = arith.constant 384 : index
    %z = arith.constant 0 : index
    %m0 = arith.muli %pid#0, %bm : index
    %n0 = arith.muli %pid#1, %bn : index
    %av = ktdp.construct_memory_view %a, sizes: [512, 768], strides: [768, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 511 >= 0, d1 >= 0, -d1 + 767 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<512x768xf16>
    %bv = ktdp.construct_memory_view %b, sizes: [768, 3072], strides: [3072, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 767 >= 0, d1 >= 0, -d1 + 3071 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<768x3072xf16>
    %cv = ktdp.construct_memory_view %c, sizes: [512, 3072], strides: [3072, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 511 >= 0, d1 >= 0, -d1 + 3071 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<512x3072xf16>
    %at_t = ktdp.construct_access_tile %av[%m0, %z] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 127 >= 0, d1 >= 0, -d1 + 767 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<512x768xf16> -> !ktdp.access_tile<128x768xindex>
    %at = ktdp.load %at_t : !ktdp.access_tile<128x768xindex> -> tensor<128x768xf16>
    %bt_t = ktdp.construct_access_tile %bv[%z, %n0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 767 >= 0, d1 >= 0, -d1 + 383 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<768x3072xf16> -> !ktdp.access_tile<768x384xindex>
    %bt = ktdp.load %bt_t : !ktdp.access_tile<768x384xindex> -> tensor<768x384xf16>
    %zero = arith.constant dense<0.000000e+00> : tensor<128x384xf32>
    %y = linalg.matmul ins(%at, %bt : tensor<128x768xf16>, tensor<768x384xf16>) outs(%zero : tensor<128x384xf32>) -> tensor<128x384xf32>
    %biasv = ktdp.construct_memory_view %bias, sizes: [3072], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 3071 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<3072xf16>
    %bias1_t = ktdp.construct_access_tile %biasv[%n0] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 383 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<3072xf16> -> !ktdp.access_tile<384xindex>
    %bias1 = ktdp.load %bias1_t : !ktdp.access_tile<384xindex> -> tensor<384xf16>
    %biasw = arith.extf %bias1 : tensor<384xf16> to tensor<384xf32>
    %biasb_e = tensor.empty() : tensor<128x384xf32>
    %biasb = linalg.broadcast ins(%biasw : tensor<384xf32>) outs(%biasb_e : tensor<128x384xf32>) dimensions = [0]
    %s1 = arith.addf %y, %biasb : tensor<128x384xf32>
    %half = arith.constant dense<5.000000e-01> : tensor<128x384xf32>
    %c2 = arith.constant dense<0.70710678> : tensor<128x384xf32>
    %one_ = arith.constant dense<1.000000e+00> : tensor<128x384xf32>
    %u1 = arith.mulf %s1, %c2 : tensor<128x384xf32>
    %u2 = math.erf %u1 : tensor<128x384xf32>
    %u3 = arith.addf %u2, %one_ : tensor<128x384xf32>
    %u4 = arith.mulf %s1, %u3 : tensor<128x384xf32>
    %u5 = arith.mulf %u4, %half : tensor<128x384xf32>
    %o = arith.truncf %u5 : tensor<128x384xf32> to tensor<128x384xf16>
    %o_st = ktdp.construct_access_tile %cv[%m0, %n0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 127 >= 0, d1 >= 0, -d1 + 383 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<512x3072xf16> -> !ktdp.access_tile<128x384xindex>
    ktdp.store %o, %o_st : tensor<128x384xf16>, !ktdp.access_tile<128x384xindex>
    return
  }
}
