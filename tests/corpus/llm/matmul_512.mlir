// 512 cubed on 32 tiles: small enough that reads shared over the ring decide.
module {
  func.func @matmul_512(%a: index, %b: index, %c: index) attributes {grid = [4, 8]} {
    %pid:2 = ktdp.get_compute_tile_id : index, index
    %bm = arith.constant 128 : index
    %bn = arith.constant 64 : index
    %z = arith.constant 0 : index
    %m0 = arith.muli %pid#0, %bm : index
    %n0 = arith.muli %pid#1, %bn : index
    %av = ktdp.construct_memory_view %a, sizes: [512, 512], strides: [512, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 511 >= 0, d1 >= 0, -d1 + 511 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<512x512xf16>
    %bv = ktdp.construct_memory_view %b, sizes: [512, 512], strides: [512, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 511 >= 0, d1 >= 0, -d1 + 511 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<512x512xf16>
    %cv = ktdp.construct_memory_view %c, sizes: [512, 512], strides: [512, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 511 >= 0, d1 >= 0, -d1 + 511 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<512x512xf16>
    %at_t = ktdp.construct_access_tile %av[%m0, %z] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 127 >= 0, d1 >= 0, -d1 + 511 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<512x512xf16> -> !ktdp.access_tile<128x512xindex>
    %at = ktdp.load %at_t : !ktdp.access_tile<128x512xindex> -> tensor<128x512xf16>
    %bt_t = ktdp.construct_access_tile %bv[%z, %n0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 511 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<512x512xf16> -> !ktdp.access_tile<512x64xindex>
    %bt = ktdp.load %bt_t : !ktdp.access_tile<512x64xindex> -> tensor<512x64xf16>
    %zero = arith.constant dense<0.000000e+00> : tensor<128x64xf32>
    %y = linalg.matmul ins(%at, %bt : tensor<128x512xf16>, tensor<512x64xf16>) outs(%zero : tensor<128x64xf32>) -> tensor<128x64xf32>
    %o = arith.truncf %y : tensor<128x64xf32> to tensor<128x64xf16>
    %o_st = ktdp.construct_access_tile %cv[%m0, %n0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 127 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<512x512xf16> -> !ktdp.access_tile<128x64xindex>
    ktdp.store %o, %o_st : tensor<128x64xf16>, !ktdp.access_tile<128x64xindex>
    return
  }
}
