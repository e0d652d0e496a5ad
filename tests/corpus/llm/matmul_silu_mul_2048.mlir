// 2048 cubed on 32 tiles, then silu times another tensor, in one kernel.
module {
  func.func @matmul_silu_mul_2048(%a: index, %b: index, %c: index, %d: index) attributes {grid = [4, 8]} {
    %pid:2 = ktdp.get_compute_tile_id : index, index
    %bm = arith.constant 512 : index
    %bn = arith.constant 256 : index
    %z = arith.constant 0 : index
    %m0 = arith.muli %pid#0, %bm : index
    %n0 = arith.muli %pid#1, %bn : index
    %av = ktdp.construct_memory_view %a, sizes: [2048, 2048], strides: [2048, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2047 >= 0, d1 >= 0, -d1 + 2047 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2048x2048xf16>
    %bv = ktdp.construct_memory_view %b, sizes: [2048, 2048], strides: [2048, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2047 >= 0, d1 >= 0, -d1 + 2047 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2048x2048xf16>
    %cv = ktdp.construct_memory_view %c, sizes: [2048, 2048], strides: [2048, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2047 >= 0, d1 >= 0, -d1 + 2047 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2048x2048xf16>
    %at_t = ktdp.construct_access_tile %av[%m0, %z] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 511 >= 0, d1 >= 0, -d1 + 2047 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<2048x2048xf16> -> !ktdp.access_tile<512x2048xindex>
    %at = ktdp.load %at_t : !ktdp.access_tile<512x2048xindex> -> tensor<512x2048xf16>
    %bt_t = ktdp.construct_access_tile %bv[%z, %n0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2047 >= 0, d1 >= 0, -d1 + 255 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<2048x2048xf16> -> !ktdp.access_tile<2048x256xindex>
    %bt = ktdp.load %bt_t : !ktdp.access_tile<2048x256xindex> -> tensor<2048x256xf16>
    %zero = arith.constant dense<0.000000e+00> : tensor<512x256xf32>
    %y = linalg.matmul ins(%at, %bt : tensor<512x2048xf16>, tensor<2048x256xf16>) outs(%zero : tensor<512x256xf32>) -> tensor<512x256xf32>
    %dv = ktdp.construct_memory_view %d, sizes: [2048, 2048], strides: [2048, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2047 >= 0, d1 >= 0, -d1 + 2047 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2048x2048xf16>
    %dt_t = ktdp.construct_access_tile %dv[%m0, %n0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 511 >= 0, d1 >= 0, -d1 + 255 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<2048x2048xf16> -> !ktdp.access_tile<512x256xindex>
    %dt = ktdp.load %dt_t : !ktdp.access_tile<512x256xindex> -> tensor<512x256xf16>
    %dw = arith.extf %dt : tensor<512x256xf16> to tensor<512x256xf32>
    %neg = arith.negf %y : tensor<512x256xf32>
    %e = math.exp %neg : tensor<512x256xf32>
    %one = arith.constant dense<1.0> : tensor<512x256xf32>
    %p = arith.addf %e, %one : tensor<512x256xf32>
    %q = arith.divf %y, %p : tensor<512x256xf32>
    %r = arith.mulf %q, %dw : tensor<512x256xf32>
    %o = arith.truncf %r : tensor<512x256xf32> to tensor<512x256xf16>
    %o_st = ktdp.construct_access_tile %cv[%m0, %n0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 511 >= 0, d1 >= 0, -d1 + 255 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<2048x2048xf16> -> !ktdp.access_tile<512x256xindex>
    ktdp.store %o, %o_st : tensor<512x256xf16>, !ktdp.access_tile<512x256xindex>
    return
  }
}

