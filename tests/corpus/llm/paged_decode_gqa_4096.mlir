// Llama-3.1-8B: decode of 32 heads, four to a key head, over a cache of 4,096 positions in pages of 16.
module {
  func.func @paged_decode_gqa_4096(%q: index, %kc: index, %vc: index, %bt: index, %o: index) attributes {grid = [8]} {
    %c4 = arith.constant 4 : index
    %cst1 = arith.constant dense<0xFF800000> : tensor<4xf32>
    %cst2 = arith.constant dense<0.000000e+00> : tensor<4xf32>
    %cst3 = arith.constant dense<0.000000e+00> : tensor<4x128xf32>
    %c0 = arith.constant 0 : index
    %c4096 = arith.constant 4096 : index
    %c256 = arith.constant 256 : index
    %cst7 = arith.constant dense<0.000000e+00> : tensor<4x256xf32>
    %cst8 = arith.constant dense<1.250000e-01> : tensor<4x256xf32>
    %pid1 = ktdp.get_compute_tile_id : index
    %q_v2 = ktdp.construct_memory_view %q, sizes: [32, 128], strides: [128, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 127 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<32x128xf16>
    %o_v3 = ktdp.construct_memory_view %o, sizes: [32, 128], strides: [128, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 127 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<32x128xf16>
    %kc_v4 = ktdp.construct_memory_view %kc, sizes: [300, 16, 8, 128], strides: [16384, 1024, 128, 1] {coordinate_set = affine_set<(d0, d1, d2, d3) : (d0 >= 0, -d0 + 299 >= 0, d1 >= 0, -d1 + 15 >= 0, d2 >= 0, -d2 + 7 >= 0, d3 >= 0, -d3 + 127 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<300x16x8x128xf16>
    %vc_v5 = ktdp.construct_memory_view %vc, sizes: [300, 16, 8, 128], strides: [16384, 1024, 128, 1] {coordinate_set = affine_set<(d0, d1, d2, d3) : (d0 >= 0, -d0 + 299 >= 0, d1 >= 0, -d1 + 15 >= 0, d2 >= 0, -d2 + 7 >= 0, d3 >= 0, -d3 + 127 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<300x16x8x128xf16>
    %bt_v6 = ktdp.construct_memory_view %bt, sizes: [256], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 255 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<256xi32>
    %s7 = arith.muli %pid1, %c4 : index
    %t8 = ktdp.construct_access_tile %q_v2[%s7, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 127 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<32x128xf16> -> !ktdp.access_tile<4x128xindex>
    %x9 = ktdp.load %t8 : !ktdp.access_tile<4x128xindex> -> tensor<4x128xf16>
    %for11:3 = scf.for %iv10 = %c0 to %c4096 step %c256 iter_args(%it12 = %cst1, %it13 = %cst2, %it14 = %cst3) -> (tensor<4xf32>, tensor<4xf32>, tensor<4x128xf32>) {
      %it15 = ktdp.construct_indirect_access_tile intermediate_variables(%t, %d) %kc_v4[ind(%bt_v6[(%iv10 + %t) floordiv 16]), ((%iv10 + %t) mod 16), (%pid1), (%d)] {variables_space_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 255 >= 0, d1 >= 0, -d1 + 127 >= 0)>, variables_space_order = affine_map<(d0, d1) -> (d1, d0)>} : memref<300x16x8x128xf16>, memref<256xi32> -> !ktdp.access_tile<128x256xindex>
      %x16 = ktdp.load %it15 : !ktdp.access_tile<128x256xindex> -> tensor<128x256xf16>
      %it17 = ktdp.construct_indirect_access_tile intermediate_variables(%t, %d) %vc_v5[ind(%bt_v6[(%iv10 + %t) floordiv 16]), ((%iv10 + %t) mod 16), (%pid1), (%d)] {variables_space_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 255 >= 0, d1 >= 0, -d1 + 127 >= 0)>, variables_space_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<300x16x8x128xf16>, memref<256xi32> -> !ktdp.access_tile<256x128xindex>
      %x18 = ktdp.load %it17 : !ktdp.access_tile<256x128xindex> -> tensor<256x128xf16>
      %d19 = linalg.matmul ins(%x9, %x16 : tensor<4x128xf16>, tensor<128x256xf16>) outs(%cst7 : tensor<4x256xf32>) -> tensor<4x256xf32>
      %e20 = arith.mulf %d19, %cst8 : tensor<4x256xf32>
      %r21 = linalg.reduce { arith.maximumf } ins(%e20 : tensor<4x256xf32>) outs(%cst1 : tensor<4xf32>) dimensions = [1]
      %e22 = arith.maximumf %it12, %r21 : tensor<4xf32>
      %em23 = tensor.empty() : tensor<4x256xf32>
      %b24 = linalg.broadcast ins(%e22 : tensor<4xf32>) outs(%em23 : tensor<4x256xf32>) dimensions = [1]
      %e25 = arith.subf %e20, %b24 : tensor<4x256xf32>
      %e26 = math.exp %e25 : tensor<4x256xf32>
      %e27 = arith.subf %it12, %e22 : tensor<4xf32>
      %e28 = math.exp %e27 : tensor<4xf32>
      %r29 = linalg.reduce { arith.addf } ins(%e26 : tensor<4x256xf32>) outs(%cst2 : tensor<4xf32>) dimensions = [1]
      %e30 = arith.mulf %it13, %e28 : tensor<4xf32>
      %e31 = arith.addf %e30, %r29 : tensor<4xf32>
      %em32 = tensor.empty() : tensor<4x128xf32>
      %b33 = linalg.broadcast ins(%e28 : tensor<4xf32>) outs(%em32 : tensor<4x128xf32>) dimensions = [1]
      %e34 = arith.mulf %it14, %b33 : tensor<4x128xf32>
      %e35 = arith.truncf %e26 : tensor<4x256xf32> to tensor<4x256xf16>
      %d36 = linalg.matmul ins(%e35, %x18 : tensor<4x256xf16>, tensor<256x128xf16>) outs(%cst3 : tensor<4x128xf32>) -> tensor<4x128xf32>
      %e37 = arith.addf %e34, %d36 : tensor<4x128xf32>
      scf.yield %e22, %e31, %e37 : tensor<4xf32>, tensor<4xf32>, tensor<4x128xf32>
    }
    %em38 = tensor.empty() : tensor<4x128xf32>
    %b39 = linalg.broadcast ins(%for11#1 : tensor<4xf32>) outs(%em38 : tensor<4x128xf32>) dimensions = [1]
    %e40 = arith.divf %for11#2, %b39 : tensor<4x128xf32>
    %e41 = arith.truncf %e40 : tensor<4x128xf32> to tensor<4x128xf16>
    %t42 = ktdp.construct_access_tile %o_v3[%s7, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 127 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<32x128xf16> -> !ktdp.access_tile<4x128xindex>
    ktdp.store %e41, %t42 : tensor<4x128xf16>, !ktdp.access_tile<4x128xindex>
    return
  }
}
