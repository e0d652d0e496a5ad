// Output projection plus residual.
module {
  func.func @linear_residual(%a: index, %b: index, %c: index, %res: index) attributes {grid = [2, 2]} {
    %pid:2 = ktdp.get_compute_tile_id : index, index
    %bm = arith.constant 16 : index
    %bn = arith.constant 40 : index
    %z = arith.constant 0 : index
    %m0 = arith.muli %pid#0, %bm : index
    %n0 = arith.muli %pid#1, %bn : index
    %av = ktdp.construct_memory_view %a, sizes: [32, 40], strides: [40, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 39 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<32x40xf16>
    %bv = ktdp.construct_memory_view %b, sizes: [40, 80], strides: [80, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 39 >= 0, d1 >= 0, -d1 + 79 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<40x80xf16>
    %cv = ktdp.construct_memory_view %c, sizes: [32, 80], strides: [80, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 79 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<32x80xf16>
    %at_t = ktdp.construct_access_tile %av[%m0, %z] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 39 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<32x40xf16> -> !ktdp.access_tile<16x40xindex>
    %at = ktdp.load %at_t : !ktdp.access_tile<16x40xindex> -> tensor<16x40xf16>
    %bt_t = ktdp.construct_access_tile %bv[%z, %n0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 39 >= 0, d1 >= 0, -d1 + 39 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<40x80xf16> -> !ktdp.access_tile<40x40xindex>
    %bt = ktdp.load %bt_t : !ktdp.access_tile<40x40xindex> -> tensor<40x40xf16>
    %zero = arith.constant dense<0.000000e+00> : tensor<16x40xf32>
    %y = linalg.matmul ins(%at, %bt : tensor<16x40xf16>, tensor<40x40xf16>) outs(%zero : tensor<16x40xf32>) -> tensor<16x40xf32>
    %resv = ktdp.construct_memory_view %res, sizes: [32, 80], strides: [80, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 79 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<32x80xf16>
    %rest_t = ktdp.construct_access_tile %resv[%m0, %n0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 39 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<32x80xf16> -> !ktdp.access_tile<16x40xindex>
    %rest = ktdp.load %rest_t : !ktdp.access_tile<16x40xindex> -> tensor<16x40xf16>
    %resw = arith.extf %rest : tensor<16x40xf16> to tensor<16x40xf32>
    %s1 = arith.addf %y, %resw : tensor<16x40xf32>
    %o = arith.truncf %s1 : tensor<16x40xf32> to tensor<16x40xf16>
    %o_st = ktdp.construct_access_tile %cv[%m0, %n0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 39 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<32x80xf16> -> !ktdp.access_tile<16x40xindex>
    ktdp.store %o, %o_st : tensor<16x40xf16>, !ktdp.access_tile<16x40xindex>
    return
  }
}
