// A vocabulary that is no multiple of anything: 1000 columns over four tiles of 250.
module {
  func.func @lm_head_tail(%a: index, %b: index, %c: index) attributes {grid = [1, 4]} {
    %pid:2 = ktdp.get_compute_tile_id : index, index
    %bm = arith.constant 8 : index
    %bn = arith.constant 250 : index
    %z = arith.constant 0 : index
    %m0 = arith.muli %pid#0, %bm : index
    %n0 = arith.muli %pid#1, %bn : index
    %av = ktdp.construct_memory_view %a, sizes: [8, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<8x64xf16>
    %bv = ktdp.construct_memory_view %b, sizes: [64, 1000], strides: [1000, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 999 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<64x1000xf16>
    %cv = ktdp.construct_memory_view %c, sizes: [8, 1000], strides: [1000, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 999 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<8x1000xf16>
    %at_t = ktdp.construct_access_tile %av[%m0, %z] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<8x64xf16> -> !ktdp.access_tile<8x64xindex>
    %at = ktdp.load %at_t : !ktdp.access_tile<8x64xindex> -> tensor<8x64xf16>
    %bt_t = ktdp.construct_access_tile %bv[%z, %n0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 249 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<64x1000xf16> -> !ktdp.access_tile<64x250xindex>
    %bt = ktdp.load %bt_t : !ktdp.access_tile<64x250xindex> -> tensor<64x250xf16>
    %zero = arith.constant dense<0.000000e+00> : tensor<8x250xf32>
    %y = linalg.matmul ins(%at, %bt : tensor<8x64xf16>, tensor<64x250xf16>) outs(%zero : tensor<8x250xf32>) -> tensor<8x250xf32>
    %o = arith.truncf %y : tensor<8x250xf32> to tensor<8x250xf16>
    %o_st = ktdp.construct_access_tile %cv[%m0, %n0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 249 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<8x1000xf16> -> !ktdp.access_tile<8x250xindex>
    ktdp.store %o, %o_st : tensor<8x250xf16>, !ktdp.access_tile<8x250xindex>
    return
  }
}
