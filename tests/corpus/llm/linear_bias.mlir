// BERT: linear layer with bias.
module {
  func.func @linear_bias(%a: index, %b: index, %c: index, %bias: index) attributes {grid = [2, 2]} {
    %pid:2 = ktdp.get_compute_tile_id : index, index
    %bm = arith.constant 16 : index
    %bn = arith.constant 32 : index
    %z = arith.constant 0 : index
    %m0 = arith.muli %pid#0, %bm : index
    %n0 = arith.muli %pid#1, %bn : index
    %av = ktdp.construct_memory_view %a, sizes: [32, 48], strides: [48, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 47 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<32x48xf16>
    %bv = ktdp.construct_memory_view %b, sizes: [64, 48], strides: [48, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 47 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<64x48xf16>
    %cv = ktdp.construct_memory_view %c, sizes: [32, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<32x64xf16>
    %at_t = ktdp.construct_access_tile %av[%m0, %z] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 47 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<32x48xf16> -> !ktdp.access_tile<16x48xindex>
    %at = ktdp.load %at_t : !ktdp.access_tile<16x48xindex> -> tensor<16x48xf16>
    %bt_t = ktdp.construct_access_tile %bv[%n0, %z] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 47 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<64x48xf16> -> !ktdp.access_tile<32x48xindex>
    %bt = ktdp.load %bt_t : !ktdp.access_tile<32x48xindex> -> tensor<32x48xf16>
    %zero = arith.constant dense<0.000000e+00> : tensor<16x32xf32>
    %y = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%at, %bt : tensor<16x48xf16>, tensor<32x48xf16>) outs(%zero : tensor<16x32xf32>) -> tensor<16x32xf32>
    %biasv = ktdp.construct_memory_view %bias, sizes: [64], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<64xf16>
    %bias1_t = ktdp.construct_access_tile %biasv[%n0] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 31 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<64xf16> -> !ktdp.access_tile<32xindex>
    %bias1 = ktdp.load %bias1_t : !ktdp.access_tile<32xindex> -> tensor<32xf16>
    %biasw = arith.extf %bias1 : tensor<32xf16> to tensor<32xf32>
    %biasb_e = tensor.empty() : tensor<16x32xf32>
    %biasb = linalg.broadcast ins(%biasw : tensor<32xf32>) outs(%biasb_e : tensor<16x32xf32>) dimensions = [0]
    %s1 = arith.addf %y, %biasb : tensor<16x32xf32>
    %o = arith.truncf %s1 : tensor<16x32xf32> to tensor<16x32xf16>
    %o_st = ktdp.construct_access_tile %cv[%m0, %n0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<32x64xf16> -> !ktdp.access_tile<16x32xindex>
    ktdp.store %o, %o_st : tensor<16x32xf16>, !ktdp.access_tile<16x32xindex>
    return
  }
}
