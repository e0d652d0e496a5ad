// 2048 cubed, 64 whole rows a tile.
module {
  func.func @matmul_rows_2048(%a: index, %b: index, %c: index) attributes {grid = [32, 1]} {
    %pid:2 = ktdp.get_compute_tile_id : index, index
    %bm = arith.constant 64 : index
    %bn = arith.constant 2048 : index
    %z = arith.constant 0 : index
    %m0 = arith.muli %pid#0, %bm : index
    %n0 = arith.muli %pid#1, %bn : index
    %av = ktdp.construct_memory_view %a, sizes: [2048, 2048], strides: [2048, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2047 >= 0, d1 >= 0, -d1 + 2047 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2048x2048xf16>
    %bv = ktdp.construct_memory_view %b, sizes: [2048, 2048], strides: [2048, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2047 >= 0, d1 >= 0, -d1 + 2047 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2048x2048xf16>
    %cv = ktdp.construct_memory_view %c, sizes: [2048, 2048], strides: [2048, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2047 >= 0, d1 >= 0, -d1 + 2047 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2048x2048xf16>
    %at_t = ktdp.construct_access_tile %av[%m0, %z] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 2047 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<2048x2048xf16> -> !ktdp.access_tile<64x2048xindex>
    %at = ktdp.load %at_t : !ktdp.access_tile<64x2048xindex> -> tensor<64x2048xf16>
    %bt_t = ktdp.construct_access_tile %bv[%z, %n0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2047 >= 0, d1 >= 0, -d1 + 2047 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<2048x2048xf16> -> !ktdp.access_tile<2048x2048xindex>
    %bt = ktdp.load %bt_t : !ktdp.access_tile<2048x2048xindex> -> tensor<2048x2048xf16>
    %zero = arith.constant dense<0.000000e+00> : tensor<64x2048xf32>
    %y = linalg.matmul ins(%at, %bt : tensor<64x2048xf16>, tensor<2048x2048xf16>) outs(%zero : tensor<64x2048xf32>) -> tensor<64x2048xf32>
    %o = arith.truncf %y : tensor<64x2048xf32> to tensor<64x2048xf16>
    %o_st = ktdp.construct_access_tile %cv[%m0, %n0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 2047 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<2048x2048xf16> -> !ktdp.access_tile<64x2048xindex>
    ktdp.store %o, %o_st : tensor<64x2048xf16>, !ktdp.access_tile<64x2048xindex>
    return
  }
}

