// Decode: one row against a weight matrix, columns over four tiles.
module {
  func.func @matvec_decode(%a: index, %b: index, %c: index) attributes {grid = [1, 4]} {
    %pid:2 = ktdp.get_compute_tile_id : index, index
    %bm = arith.constant 1 : index
    %bn = arith.constant 64 : index
    %z = arith.constant 0 : index
    %m0 = arith.muli %pid#0, %bm : index
    %n0 = arith.muli %pid#1, %bn : index
    %av = ktdp.construct_memory_view %a, sizes: [1, 128], strides: [128, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 127 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<1x128xf16>
    %bv = ktdp.construct_memory_view %b, sizes: [128, 256], strides: [256, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 127 >= 0, d1 >= 0, -d1 + 255 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<128x256xf16>
    %cv = ktdp.construct_memory_view %c, sizes: [1, 256], strides: [256, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 255 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<1x256xf16>
    %at_t = ktdp.construct_access_tile %av[%m0, %z] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 127 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<1x128xf16> -> !ktdp.access_tile<1x128xindex>
    %at = ktdp.load %at_t : !ktdp.access_tile<1x128xindex> -> tensor<1x128xf16>
    %bt_t = ktdp.construct_access_tile %bv[%z, %n0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 127 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<128x256xf16> -> !ktdp.access_tile<128x64xindex>
    %bt = ktdp.load %bt_t : !ktdp.access_tile<128x64xindex> -> tensor<128x64xf16>
    %zero = arith.constant dense<0.000000e+00> : tensor<1x64xf32>
    %y = linalg.matmul ins(%at, %bt : tensor<1x128xf16>, tensor<128x64xf16>) outs(%zero : tensor<1x64xf32>) -> tensor<1x64xf32>
    %o = arith.truncf %y : tensor<1x64xf32> to tensor<1x64xf16>
    %o_st = ktdp.construct_access_tile %cv[%m0, %n0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<1x256xf16> -> !ktdp.access_tile<1x64xindex>
    ktdp.store %o, %o_st : tensor<1x64xf16>, !ktdp.access_tile<1x64xindex>
    return
  }
}
