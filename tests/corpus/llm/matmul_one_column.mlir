// Two columns, one a tile.
module {
  func.func @matmul_one_column(%a: index, %b: index, %c: index) attributes {grid = [1, 2]} {
    %pid:2 = ktdp.get_compute_tile_id : index, index
    %bm = arith.constant 32 : index
    %bn = arith.constant 1 : index
    %z = arith.constant 0 : index
    %m0 = arith.muli %pid#0, %bm : index
    %n0 = arith.muli %pid#1, %bn : index
    %av = ktdp.construct_memory_view %a, sizes: [32, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<32x64xf16>
    %bv = ktdp.construct_memory_view %b, sizes: [64, 2], strides: [2, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 1 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<64x2xf16>
    %cv = ktdp.construct_memory_view %c, sizes: [32, 2], strides: [2, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 1 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<32x2xf16>
    %at_t = ktdp.construct_access_tile %av[%m0, %z] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<32x64xf16> -> !ktdp.access_tile<32x64xindex>
    %at = ktdp.load %at_t : !ktdp.access_tile<32x64xindex> -> tensor<32x64xf16>
    %bt_t = ktdp.construct_access_tile %bv[%z, %n0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 0 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<64x2xf16> -> !ktdp.access_tile<64x1xindex>
    %bt = ktdp.load %bt_t : !ktdp.access_tile<64x1xindex> -> tensor<64x1xf16>
    %zero = arith.constant dense<0.000000e+00> : tensor<32x1xf32>
    %y = linalg.matmul ins(%at, %bt : tensor<32x64xf16>, tensor<64x1xf16>) outs(%zero : tensor<32x1xf32>) -> tensor<32x1xf32>
    %o = arith.truncf %y : tensor<32x1xf32> to tensor<32x1xf16>
    %o_st = ktdp.construct_access_tile %cv[%m0, %n0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 0 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<32x2xf16> -> !ktdp.access_tile<32x1xindex>
    ktdp.store %o, %o_st : tensor<32x1xf16>, !ktdp.access_tile<32x1xindex>
    return
  }
}
