// Persistent product: a tile takes every second block of rows.
module {
  func.func @matmul_row_blocks(%a: index, %b: index, %c: index) attributes {grid = [2]} {
    %z = arith.constant 0 : index
    %m = arith.constant 128 : index
    %pid = ktdp.get_compute_tile_id : index
    %c16 = arith.constant 16 : index
    %av = ktdp.construct_memory_view %a, sizes: [128, 128], strides: [128, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 127 >= 0, d1 >= 0, -d1 + 127 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<128x128xf16>
    %bv = ktdp.construct_memory_view %b, sizes: [128, 128], strides: [128, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 127 >= 0, d1 >= 0, -d1 + 127 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<128x128xf16>
    %cv = ktdp.construct_memory_view %c, sizes: [128, 128], strides: [128, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 127 >= 0, d1 >= 0, -d1 + 127 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<128x128xf16>
    %first = arith.muli %pid, %c16 : index
    %two = arith.constant 2 : index
    %step = arith.muli %two, %c16 : index
    scf.for %j = %first to %m step %step {
    %at_t = ktdp.construct_access_tile %av[%j, %z] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 127 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<128x128xf16> -> !ktdp.access_tile<16x128xindex>
    %at = ktdp.load %at_t  : !ktdp.access_tile<16x128xindex> -> tensor<16x128xf16>
    %bt_t = ktdp.construct_access_tile %bv[%z, %z] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 127 >= 0, d1 >= 0, -d1 + 127 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<128x128xf16> -> !ktdp.access_tile<128x128xindex>
    %bt = ktdp.load %bt_t : !ktdp.access_tile<128x128xindex> -> tensor<128x128xf16>
    %zero = arith.constant dense<0.000000e+00> : tensor<16x128xf32>
    %y = linalg.matmul ins(%at, %bt : tensor<16x128xf16>, tensor<128x128xf16>) outs(%zero : tensor<16x128xf32>) -> tensor<16x128xf32>
    %o = arith.truncf %y : tensor<16x128xf32> to tensor<16x128xf16>
    %o_st = ktdp.construct_access_tile %cv[%j, %z] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 127 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<128x128xf16> -> !ktdp.access_tile<16x128xindex>
    ktdp.store %o, %o_st   : tensor<16x128xf16>, !ktdp.access_tile<16x128xindex>
    }
    return
  }
}
