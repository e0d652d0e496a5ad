// 4096 cubed on 32 tiles.
module {
  func.func @matmul_4096(%a: index, %b: index, %c: index) attributes {grid = [4, 8]} {
    %pid:2 = ktdp.get_compute_tile_id : index, index
    %bm = arith.constant 1024 : index
    %bn = arith.constant 512 : index
    %z = arith.constant 0 : index
    %m0 = arith.muli %pid#0, %bm : index
    %n0 = arith.muli %pid#1, %bn : index
    %av = ktdp.construct_memory_view %a, sizes: [4096, 4096], strides: [4096, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 4095 >= 0, d1 >= 0, -d1 + 4095 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4096x4096xf16>
    %bv = ktdp.construct_memory_view %b, sizes: [4096, 4096], strides: [4096, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 4095 >= 0, d1 >= 0, -d1 + 4095 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4096x4096xf16>
    %cv = ktdp.construct_memory_view %c, sizes: [4096, 4096], strides: [4096, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 4095 >= 0, d1 >= 0, -d1 + 4095 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4096x4096xf16>
    %at_t = ktdp.construct_access_tile %av[%m0, %z] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 1023 >= 0, d1 >= 0, -d1 + 4095 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<4096x4096xf16> -> !ktdp.access_tile<1024x4096xindex>
    %at = ktdp.load %at_t : !ktdp.access_tile<1024x4096xindex> -> tensor<1024x4096xf16>
    %bt_t = ktdp.construct_access_tile %bv[%z, %n0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 4095 >= 0, d1 >= 0, -d1 + 511 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<4096x4096xf16> -> !ktdp.access_tile<4096x512xindex>
    %bt = ktdp.load %bt_t : !ktdp.access_tile<4096x512xindex> -> tensor<4096x512xf16>
    %zero = arith.constant dense<0.000000e+00> : tensor<1024x512xf32>
    %y = linalg.matmul ins(%at, %bt : tensor<1024x4096xf16>, tensor<4096x512xf16>) outs(%zero : tensor<1024x512xf32>) -> tensor<1024x512xf32>
    %o = arith.truncf %y : tensor<1024x512xf32> to tensor<1024x512xf16>
    %o_st = ktdp.construct_access_tile %cv[%m0, %n0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 1023 >= 0, d1 >= 0, -d1 + 511 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<4096x4096xf16> -> !ktdp.access_tile<1024x512xindex>
    ktdp.store %o, %o_st : tensor<1024x512xf16>, !ktdp.access_tile<1024x512xindex>
    return
  }
}
