// Triton style: i32 arithmetic, and the offset along K is carried by the loop beside the sums.
module {
  func.func @k_loop_pointer(%a: index, %b: index, %c: index) attributes {grid = [2, 2]} {
    %pid:2 = ktdp.get_compute_tile_id : index, index
    %c16 = arith.constant 16 : i32
    %c64 = arith.constant 64 : i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c3 = arith.constant 3 : i32
    %c32 = arith.constant 32 : i32
    %p0 = arith.index_cast %pid#0 : index to i32
    %p1 = arith.index_cast %pid#1 : index to i32
    %m = arith.muli %p0, %c16 : i32
    %n = arith.muli %p1, %c64 : i32
    %m0 = arith.index_cast %m : i32 to index
    %n0 = arith.index_cast %n : i32 to index
    %av = ktdp.construct_memory_view %a, sizes: [32, 96], strides: [96, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 95 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<32x96xf16>
    %bv = ktdp.construct_memory_view %b, sizes: [96, 128], strides: [128, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 95 >= 0, d1 >= 0, -d1 + 127 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<96x128xf16>
    %cv = ktdp.construct_memory_view %c, sizes: [32, 128], strides: [128, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 127 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<32x128xf16>
    %zero = arith.constant dense<0.000000e+00> : tensor<16x64xf32>
    %r:2 = scf.for %k = %c0 to %c3 step %c1 iter_args(%acc = %zero, %off = %c0) -> (tensor<16x64xf32>, i32)  : i32 {
      %k0 = arith.index_cast %off : i32 to index
      %at_t = ktdp.construct_access_tile %av[%m0, %k0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<32x96xf16> -> !ktdp.access_tile<16x32xindex>
      %at = ktdp.load %at_t : !ktdp.access_tile<16x32xindex> -> tensor<16x32xf16>
      %bt_t = ktdp.construct_access_tile %bv[%k0, %n0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<96x128xf16> -> !ktdp.access_tile<32x64xindex>
      %bt = ktdp.load %bt_t : !ktdp.access_tile<32x64xindex> -> tensor<32x64xf16>
      %zi = arith.constant dense<0.000000e+00> : tensor<16x64xf32>
      %y = linalg.matmul ins(%at, %bt : tensor<16x32xf16>, tensor<32x64xf16>) outs(%zi : tensor<16x64xf32>) -> tensor<16x64xf32>
      %sum = arith.addf %acc, %y : tensor<16x64xf32>
      %next = arith.addi %off, %c32 : i32
      scf.yield %sum, %next : tensor<16x64xf32>, i32
    }
    %o = arith.truncf %r#0 : tensor<16x64xf32> to tensor<16x64xf16>
    %o_st = ktdp.construct_access_tile %cv[%m0, %n0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<32x128xf16> -> !ktdp.access_tile<16x64xindex>
    ktdp.store %o, %o_st : tensor<16x64xf16>, !ktdp.access_tile<16x64xindex>
    return
  }
}
