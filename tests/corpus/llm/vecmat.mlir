// linalg.vecmat: one row of 48 against 48 x 128.
module {
  func.func @vecmat(%x: index, %b: index, %c: index) attributes {grid = [2]} {
    %pid = ktdp.get_compute_tile_id : index
    %z = arith.constant 0 : index
    %bn = arith.constant 64 : index
    %n0 = arith.muli %pid, %bn : index
    %xv = ktdp.construct_memory_view %x, sizes: [48], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 47 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<48xf16>
    %bv = ktdp.construct_memory_view %b, sizes: [48, 128], strides: [128, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 47 >= 0, d1 >= 0, -d1 + 127 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<48x128xf16>
    %cv = ktdp.construct_memory_view %c, sizes: [128], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 127 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<128xf16>
    %xt_t = ktdp.construct_access_tile %xv[%z] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 47 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<48xf16> -> !ktdp.access_tile<48xindex>
    %xt = ktdp.load %xt_t : !ktdp.access_tile<48xindex> -> tensor<48xf16>
    %bt_t = ktdp.construct_access_tile %bv[%z, %n0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 47 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<48x128xf16> -> !ktdp.access_tile<48x64xindex>
    %bt = ktdp.load %bt_t : !ktdp.access_tile<48x64xindex> -> tensor<48x64xf16>
    %zero = arith.constant dense<0.000000e+00> : tensor<64xf16>
    %y = linalg.vecmat ins(%xt, %bt : tensor<48xf16>, tensor<48x64xf16>) outs(%zero : tensor<64xf16>) -> tensor<64xf16>
    %y_st = ktdp.construct_access_tile %cv[%n0] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 63 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<128xf16> -> !ktdp.access_tile<64xindex>
    ktdp.store %y, %y_st : tensor<64xf16>, !ktdp.access_tile<64xindex>
    return
  }
}
