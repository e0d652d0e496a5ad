// matmul, f16 with f16 result: the sum is taken in f32 and rounded once. Grid 2x2.
module {
  func.func @matmul_f16(%a: index, %b: index, %c: index) attributes {grid = [2, 2]} {
    %pid:2 = ktdp.get_compute_tile_id : index, index
    %bm = arith.constant 32 : index
    %bn = arith.constant 48 : index
    %z = arith.constant 0 : index
    %m0 = arith.muli %pid#0, %bm : index
    %n0 = arith.muli %pid#1, %bn : index
    %av = ktdp.construct_memory_view %a, sizes: [64, 40], strides: [40, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 39 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<64x40xf16>
    %bv = ktdp.construct_memory_view %b, sizes: [40, 96], strides: [96, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 39 >= 0, d1 >= 0, -d1 + 95 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<40x96xf16>
    %cv = ktdp.construct_memory_view %c, sizes: [64, 96], strides: [96, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 95 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<64x96xf16>
    %at_t = ktdp.construct_access_tile %av[%m0, %z] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 39 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<64x40xf16> -> !ktdp.access_tile<32x40xindex>
    %at = ktdp.load %at_t : !ktdp.access_tile<32x40xindex> -> tensor<32x40xf16>
    %bt_t = ktdp.construct_access_tile %bv[%z, %n0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 39 >= 0, d1 >= 0, -d1 + 47 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<40x96xf16> -> !ktdp.access_tile<40x48xindex>
    %bt = ktdp.load %bt_t : !ktdp.access_tile<40x48xindex> -> tensor<40x48xf16>
    %zero = arith.constant dense<0.000000e+00> : tensor<32x48xf16>
    %y = linalg.matmul ins(%at, %bt : tensor<32x40xf16>, tensor<40x48xf16>) outs(%zero : tensor<32x48xf16>) -> tensor<32x48xf16>
    %y_st = ktdp.construct_access_tile %cv[%m0, %n0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 47 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<64x96xf16> -> !ktdp.access_tile<32x48xindex>
    ktdp.store %y, %y_st : tensor<32x48xf16>, !ktdp.access_tile<32x48xindex>
    return
  }
}
