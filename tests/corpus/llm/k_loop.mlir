// Triton matmul: a loop over K carries the f32 sums; the whole of K becomes one reduction.
module {
  func.func @k_loop(%a: index, %b: index, %c: index) attributes {grid = [2, 2]} {
    %pid:2 = ktdp.get_compute_tile_id : index, index
    %bm = arith.constant 32 : index
    %bn = arith.constant 64 : index
    %z = arith.constant 0 : index
    %one = arith.constant 1 : index
    %bk = arith.constant 64 : index
    %nk = arith.constant 4 : index
    %m0 = arith.muli %pid#0, %bm : index
    %n0 = arith.muli %pid#1, %bn : index
    %av = ktdp.construct_memory_view %a, sizes: [64, 256], strides: [256, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 255 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<64x256xf16>
    %bv = ktdp.construct_memory_view %b, sizes: [256, 128], strides: [128, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 255 >= 0, d1 >= 0, -d1 + 127 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<256x128xf16>
    %cv = ktdp.construct_memory_view %c, sizes: [64, 128], strides: [128, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 127 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<64x128xf16>
    %zero = arith.constant dense<0.000000e+00> : tensor<32x64xf32>
    %r = scf.for %k = %z to %nk step %one iter_args(%acc = %zero) -> (tensor<32x64xf32>) {
      %k0 = arith.muli %k, %bk : index
      %at_t = ktdp.construct_access_tile %av[%m0, %k0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<64x256xf16> -> !ktdp.access_tile<32x64xindex>
      %at = ktdp.load %at_t : !ktdp.access_tile<32x64xindex> -> tensor<32x64xf16>
      %bt_t = ktdp.construct_access_tile %bv[%k0, %n0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<256x128xf16> -> !ktdp.access_tile<64x64xindex>
      %bt = ktdp.load %bt_t : !ktdp.access_tile<64x64xindex> -> tensor<64x64xf16>
      %y = linalg.matmul ins(%at, %bt : tensor<32x64xf16>, tensor<64x64xf16>) outs(%acc : tensor<32x64xf32>) -> tensor<32x64xf32>
      scf.yield %y : tensor<32x64xf32>
    }
    %o = arith.truncf %r : tensor<32x64xf32> to tensor<32x64xf16>
    %o_st = ktdp.construct_access_tile %cv[%m0, %n0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<64x128xf16> -> !ktdp.access_tile<32x64xindex>
    ktdp.store %o, %o_st : tensor<32x64xf16>, !ktdp.access_tile<32x64xindex>
    return
  }
}
