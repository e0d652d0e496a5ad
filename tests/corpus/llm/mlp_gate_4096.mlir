// Llama MLP, 64 rows, silu(x w_gate) * up fused.
module {
  func.func @mlp_gate_4096(%a: index, %b: index, %c: index, %up: index) attributes {grid = [1, 32]} {
    %pid:2 = ktdp.get_compute_tile_id : index, index
    %bm = arith.constant 64 : index
    %bn = arith.constant 128 : index
    %z = arith.constant 0 : index
    %m0 = arith.muli %pid#0, %bm : index
    %n0 = arith.muli %pid#1, %bn : index
    %av = ktdp.construct_memory_view %a, sizes: [64, 4096], strides: [4096, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 4095 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<64x4096xf16>
    %bv = ktdp.construct_memory_view %b, sizes: [4096, 4096], strides: [4096, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 4095 >= 0, d1 >= 0, -d1 + 4095 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4096x4096xf16>
    %cv = ktdp.construct_memory_view %c, sizes: [64, 4096], strides: [4096, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 4095 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<64x4096xf16>
    %at_t = ktdp.construct_access_tile %av[%m0, %z] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 4095 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<64x4096xf16> -> !ktdp.access_tile<64x4096xindex>
    %at = ktdp.load %at_t : !ktdp.access_tile<64x4096xindex> -> tensor<64x4096xf16>
    %bt_t = ktdp.construct_access_tile %bv[%z, %n0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 4095 >= 0, d1 >= 0, -d1 + 127 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<4096x4096xf16> -> !ktdp.access_tile<4096x128xindex>
    %bt = ktdp.load %bt_t : !ktdp.access_tile<4096x128xindex> -> tensor<4096x128xf16>
    %zero = arith.constant dense<0.000000e+00> : tensor<64x128xf32>
    %y = linalg.matmul ins(%at, %bt : tensor<64x4096xf16>, tensor<4096x128xf16>) outs(%zero : tensor<64x128xf32>) -> tensor<64x128xf32>
    %upv = ktdp.construct_memory_view %up, sizes: [64, 4096], strides: [4096, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 4095 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<64x4096xf16>
    %upt_t = ktdp.construct_access_tile %upv[%m0, %n0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 127 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<64x4096xf16> -> !ktdp.access_tile<64x128xindex>
    %upt = ktdp.load %upt_t : !ktdp.access_tile<64x128xindex> -> tensor<64x128xf16>
    %upw = arith.extf %upt : tensor<64x128xf16> to tensor<64x128xf32>
    %one_ = arith.constant dense<1.000000e+00> : tensor<64x128xf32>
    %g1 = arith.negf %y : tensor<64x128xf32>
    %g2 = math.exp %g1 : tensor<64x128xf32>
    %g3 = arith.addf %g2, %one_ : tensor<64x128xf32>
    %g4 = arith.divf %y, %g3 : tensor<64x128xf32>
    %g5 = arith.mulf %g4, %upw : tensor<64x128xf32>
    %o = arith.truncf %g5 : tensor<64x128xf32> to tensor<64x128xf16>
    %o_st = ktdp.construct_access_tile %cv[%m0, %n0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 127 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<64x4096xf16> -> !ktdp.access_tile<64x128xindex>
    ktdp.store %o, %o_st : tensor<64x128xf16>, !ktdp.access_tile<64x128xindex>
    return
  }
}
