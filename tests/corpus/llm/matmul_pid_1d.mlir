// Triton style: a 1-D grid, row and column of the tile by division and remainder in i32.
module {
  func.func @matmul_pid_1d(%a: index, %b: index, %c: index) attributes {grid = [4]} {
    %pid = ktdp.get_compute_tile_id : index
    %p = arith.index_cast %pid : index to i32
    %cn = arith.constant 2 : i32
    %cm = arith.constant 16 : i32
    %cw = arith.constant 64 : i32
    %pm = arith.divsi %p, %cn : i32
    %pn = arith.remsi %p, %cn : i32
    %mo = arith.muli %pm, %cm : i32
    %no = arith.muli %pn, %cw : i32
    %m0 = arith.index_cast %mo : i32 to index
    %n0 = arith.index_cast %no : i32 to index
    %z = arith.constant 0 : index
    %av = ktdp.construct_memory_view %a, sizes: [32, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<32x64xf16>
    %bv = ktdp.construct_memory_view %b, sizes: [64, 128], strides: [128, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 127 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<64x128xf16>
    %cv = ktdp.construct_memory_view %c, sizes: [32, 128], strides: [128, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 127 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<32x128xf16>
    %at_t = ktdp.construct_access_tile %av[%m0, %z] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<32x64xf16> -> !ktdp.access_tile<16x64xindex>
    %at = ktdp.load %at_t : !ktdp.access_tile<16x64xindex> -> tensor<16x64xf16>
    %bt_t = ktdp.construct_access_tile %bv[%z, %n0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<64x128xf16> -> !ktdp.access_tile<64x64xindex>
    %bt = ktdp.load %bt_t : !ktdp.access_tile<64x64xindex> -> tensor<64x64xf16>
    %zero = arith.constant dense<0.000000e+00> : tensor<16x64xf32>
    %y = linalg.matmul ins(%at, %bt : tensor<16x64xf16>, tensor<64x64xf16>) outs(%zero : tensor<16x64xf32>) -> tensor<16x64xf32>
    %o = arith.truncf %y : tensor<16x64xf32> to tensor<16x64xf16>
    %o_st = ktdp.construct_access_tile %cv[%m0, %n0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<32x128xf16> -> !ktdp.access_tile<16x64xindex>
    ktdp.store %o, %o_st : tensor<16x64xf16>, !ktdp.access_tile<16x64xindex>
    return
  }
}
