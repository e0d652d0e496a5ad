// matmul whose extents divide nothing: rows, columns and depth all have tails.
module {
  func.func @matmul_tails(%a: index, %b: index, %c: index) attributes {grid = [2, 2]} {
    %pid:2 = ktdp.get_compute_tile_id : index, index
    %bm = arith.constant 17 : index
    %bn = arith.constant 53 : index
    %z = arith.constant 0 : index
    %m0 = arith.muli %pid#0, %bm : index
    %n0 = arith.muli %pid#1, %bn : index
    %av = ktdp.construct_memory_view %a, sizes: [34, 37], strides: [37, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 33 >= 0, d1 >= 0, -d1 + 36 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<34x37xf16>
    %bv = ktdp.construct_memory_view %b, sizes: [37, 106], strides: [106, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 36 >= 0, d1 >= 0, -d1 + 105 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<37x106xf16>
    %cv = ktdp.construct_memory_view %c, sizes: [34, 106], strides: [106, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 33 >= 0, d1 >= 0, -d1 + 105 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<34x106xf16>
    %at_t = ktdp.construct_access_tile %av[%m0, %z] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 16 >= 0, d1 >= 0, -d1 + 36 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<34x37xf16> -> !ktdp.access_tile<17x37xindex>
    %at = ktdp.load %at_t : !ktdp.access_tile<17x37xindex> -> tensor<17x37xf16>
    %bt_t = ktdp.construct_access_tile %bv[%z, %n0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 36 >= 0, d1 >= 0, -d1 + 52 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<37x106xf16> -> !ktdp.access_tile<37x53xindex>
    %bt = ktdp.load %bt_t : !ktdp.access_tile<37x53xindex> -> tensor<37x53xf16>
    %zero = arith.constant dense<0.000000e+00> : tensor<17x53xf32>
    %y = linalg.matmul ins(%at, %bt : tensor<17x37xf16>, tensor<37x53xf16>) outs(%zero : tensor<17x53xf32>) -> tensor<17x53xf32>
    %o = arith.truncf %y : tensor<17x53xf32> to tensor<17x53xf16>
    %o_st = ktdp.construct_access_tile %cv[%m0, %n0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 16 >= 0, d1 >= 0, -d1 + 52 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<34x106xf16> -> !ktdp.access_tile<17x53xindex>
    ktdp.store %o, %o_st : tensor<17x53xf16>, !ktdp.access_tile<17x53xindex>
    return
  }
}
