// Sums kept in memory: every iteration loads the f32 result, adds one block of K, stores it.
module {
  func.func @k_in_memory(%a: index, %b: index, %c: index) attributes {grid = [2]} {
    %pid = ktdp.get_compute_tile_id : index
    %z = arith.constant 0 : index
    %one = arith.constant 1 : index
    %nk = arith.constant 2 : index
    %bk = arith.constant 24 : index
    %bm = arith.constant 8 : index
    %m0 = arith.muli %pid, %bm : index
    %av = ktdp.construct_memory_view %a, sizes: [16, 48], strides: [48, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 47 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<16x48xf16>
    %bv = ktdp.construct_memory_view %b, sizes: [48, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 47 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<48x64xf16>
    %cv = ktdp.construct_memory_view %c, sizes: [16, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<16x64xf32>
    scf.for %k = %z to %nk step %one {
      %k0 = arith.muli %k, %bk : index
      %at_t = ktdp.construct_access_tile %av[%m0, %k0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 23 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<16x48xf16> -> !ktdp.access_tile<8x24xindex>
      %at = ktdp.load %at_t : !ktdp.access_tile<8x24xindex> -> tensor<8x24xf16>
      %bt_t = ktdp.construct_access_tile %bv[%k0, %z] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 23 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<48x64xf16> -> !ktdp.access_tile<24x64xindex>
      %bt = ktdp.load %bt_t : !ktdp.access_tile<24x64xindex> -> tensor<24x64xf16>
      %ct_t = ktdp.construct_access_tile %cv[%m0, %z] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<16x64xf32> -> !ktdp.access_tile<8x64xindex>
      %ct = ktdp.load %ct_t : !ktdp.access_tile<8x64xindex> -> tensor<8x64xf32>
      %y = linalg.matmul ins(%at, %bt : tensor<8x24xf16>, tensor<24x64xf16>) outs(%ct : tensor<8x64xf32>) -> tensor<8x64xf32>
      %y_st = ktdp.construct_access_tile %cv[%m0, %z] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<16x64xf32> -> !ktdp.access_tile<8x64xindex>
      ktdp.store %y, %y_st : tensor<8x64xf32>, !ktdp.access_tile<8x64xindex>
    }
    return
  }
}
