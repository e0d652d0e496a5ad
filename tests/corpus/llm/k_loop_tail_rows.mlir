// Triton matmul: a loop over K carries the f32 sums; the whole of K becomes one reduction.
module {
  func.func @k_loop_tail_rows(%a: index, %b: index, %c: index) attributes {grid = [1, 2]} {
    %pid:2 = ktdp.get_compute_tile_id : index, index
    %bm = arith.constant 20 : index
    %bn = arith.constant 32 : index
    %z = arith.constant 0 : index
    %one = arith.constant 1 : index
    %bk = arith.constant 32 : index
    %nk = arith.constant 3 : index
    %m0 = arith.muli %pid#0, %bm : index
    %n0 = arith.muli %pid#1, %bn : index
    %av = ktdp.construct_memory_view %a, sizes: [20, 96], strides: [96, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 19 >= 0, d1 >= 0, -d1 + 95 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<20x96xf16>
    %bv = ktdp.construct_memory_view %b, sizes: [96, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 95 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<96x64xf16>
    %cv = ktdp.construct_memory_view %c, sizes: [20, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 19 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<20x64xf16>
    %zero = arith.constant dense<0.000000e+00> : tensor<20x32xf32>
    %r = scf.for %k = %z to %nk step %one iter_args(%acc = %zero) -> (tensor<20x32xf32>) {
      %k0 = arith.muli %k, %bk : index
      %at_t = ktdp.construct_access_tile %av[%m0, %k0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 19 >= 0, d1 >= 0, -d1 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<20x96xf16> -> !ktdp.access_tile<20x32xindex>
      %at = ktdp.load %at_t : !ktdp.access_tile<20x32xindex> -> tensor<20x32xf16>
      %bt_t = ktdp.construct_access_tile %bv[%k0, %n0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<96x64xf16> -> !ktdp.access_tile<32x32xindex>
      %bt = ktdp.load %bt_t : !ktdp.access_tile<32x32xindex> -> tensor<32x32xf16>
      %y = linalg.matmul ins(%at, %bt : tensor<20x32xf16>, tensor<32x32xf16>) outs(%acc : tensor<20x32xf32>) -> tensor<20x32xf32>
      scf.yield %y : tensor<20x32xf32>
    }
    %o = arith.truncf %r : tensor<20x32xf32> to tensor<20x32xf16>
    %o_st = ktdp.construct_access_tile %cv[%m0, %n0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 19 >= 0, d1 >= 0, -d1 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<20x64xf16> -> !ktdp.access_tile<20x32xindex>
    ktdp.store %o, %o_st : tensor<20x32xf16>, !ktdp.access_tile<20x32xindex>
    return
  }
}
