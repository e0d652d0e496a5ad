// Causal attention, online softmax: the loop over keys ends at the tile's own rows.
module {
  func.func @flash_causal(%q: index, %k: index, %v: index, %o: index) attributes {grid = [4, 2]} {
    %c16 = arith.constant 16 : index
    %cst1 = arith.constant dense<0xFF800000> : tensor<16xf32>
    %cst2 = arith.constant dense<0.000000e+00> : tensor<16xf32>
    %cst3 = arith.constant dense<0.000000e+00> : tensor<16x64xf32>
    %c64 = arith.constant 64 : index
    %c0 = arith.constant 0 : index
    %cst6 = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
    %cst7 = arith.constant dense<1.250000e-01> : tensor<16x16xf32>
    %cst8 = arith.constant 0xFF800000 : f32
    %pid1:2 = ktdp.get_compute_tile_id : index, index
    %q_v2 = ktdp.construct_memory_view %q, sizes: [2, 64, 64], strides: [4096, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 63 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x64x64xf16>
    %k_v3 = ktdp.construct_memory_view %k, sizes: [2, 64, 64], strides: [4096, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 63 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x64x64xf16>
    %v_v4 = ktdp.construct_memory_view %v, sizes: [2, 64, 64], strides: [4096, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 63 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x64x64xf16>
    %o_v5 = ktdp.construct_memory_view %o, sizes: [2, 64, 64], strides: [4096, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 63 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x64x64xf16>
    %s6 = arith.muli %pid1#0, %c16 : index
    %t7 = ktdp.construct_access_tile %q_v2[%pid1#1, %s6, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 15 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<2x64x64xf16> -> !ktdp.access_tile<1x16x64xindex>
    %x8 = ktdp.load %t7 : !ktdp.access_tile<1x16x64xindex> -> tensor<1x16x64xf16>
    %c9 = tensor.collapse_shape %x8 [[0, 1], [2]] : tensor<1x16x64xf16> into tensor<16x64xf16>
    %s10 = arith.addi %s6, %c16 : index
    %for12:3 = scf.for %iv11 = %c0 to %s10 step %c16 iter_args(%it13 = %cst1, %it14 = %cst2, %it15 = %cst3) -> (tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>) {
      %t16 = ktdp.construct_access_tile %k_v3[%pid1#1, %iv11, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 15 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d2, d1)>} : memref<2x64x64xf16> -> !ktdp.access_tile<1x64x16xindex>
      %x17 = ktdp.load %t16 : !ktdp.access_tile<1x64x16xindex> -> tensor<1x64x16xf16>
      %c18 = tensor.collapse_shape %x17 [[0, 1], [2]] : tensor<1x64x16xf16> into tensor<64x16xf16>
      %t19 = ktdp.construct_access_tile %v_v4[%pid1#1, %iv11, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 15 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<2x64x64xf16> -> !ktdp.access_tile<1x16x64xindex>
      %x20 = ktdp.load %t19 : !ktdp.access_tile<1x16x64xindex> -> tensor<1x16x64xf16>
      %c21 = tensor.collapse_shape %x20 [[0, 1], [2]] : tensor<1x16x64xf16> into tensor<16x64xf16>
      %d22 = linalg.matmul ins(%c9, %c18 : tensor<16x64xf16>, tensor<64x16xf16>) outs(%cst6 : tensor<16x16xf32>) -> tensor<16x16xf32>
      %e23 = arith.mulf %d22, %cst7 : tensor<16x16xf32>
      %em25 = tensor.empty() : tensor<16x16xf32>
      %m24 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%e23 : tensor<16x16xf32>) outs(%em25 : tensor<16x16xf32>) {
      ^bb0(%in: f32, %ou: f32):
        %gi = linalg.index 0 : index
        %gj = linalg.index 1 : index
        %grow = arith.addi %s6, %gi : index
        %gcol = arith.addi %iv11, %gj : index
        %gc = arith.cmpi ule, %gcol, %grow : index
        %gs = arith.select %gc, %in, %cst8 : f32
        linalg.yield %gs : f32
      } -> tensor<16x16xf32>
      %r26 = linalg.reduce { arith.maximumf } ins(%m24 : tensor<16x16xf32>) outs(%cst1 : tensor<16xf32>) dimensions = [1]
      %e27 = arith.maximumf %it13, %r26 : tensor<16xf32>
      %em28 = tensor.empty() : tensor<16x16xf32>
      %b29 = linalg.broadcast ins(%e27 : tensor<16xf32>) outs(%em28 : tensor<16x16xf32>) dimensions = [1]
      %e30 = arith.subf %m24, %b29 : tensor<16x16xf32>
      %e31 = math.exp %e30 : tensor<16x16xf32>
      %e32 = arith.subf %it13, %e27 : tensor<16xf32>
      %e33 = math.exp %e32 : tensor<16xf32>
      %r34 = linalg.reduce { arith.addf } ins(%e31 : tensor<16x16xf32>) outs(%cst2 : tensor<16xf32>) dimensions = [1]
      %e35 = arith.mulf %it14, %e33 : tensor<16xf32>
      %e36 = arith.addf %e35, %r34 : tensor<16xf32>
      %em37 = tensor.empty() : tensor<16x64xf32>
      %b38 = linalg.broadcast ins(%e33 : tensor<16xf32>) outs(%em37 : tensor<16x64xf32>) dimensions = [1]
      %e39 = arith.mulf %it15, %b38 : tensor<16x64xf32>
      %e40 = arith.truncf %e31 : tensor<16x16xf32> to tensor<16x16xf16>
      %d41 = linalg.matmul ins(%e40, %c21 : tensor<16x16xf16>, tensor<16x64xf16>) outs(%cst3 : tensor<16x64xf32>) -> tensor<16x64xf32>
      %e42 = arith.addf %e39, %d41 : tensor<16x64xf32>
      scf.yield %e27, %e36, %e42 : tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>
    }
    %em43 = tensor.empty() : tensor<16x64xf32>
    %b44 = linalg.broadcast ins(%for12#1 : tensor<16xf32>) outs(%em43 : tensor<16x64xf32>) dimensions = [1]
    %e45 = arith.divf %for12#2, %b44 : tensor<16x64xf32>
    %e46 = arith.truncf %e45 : tensor<16x64xf32> to tensor<16x64xf16>
    %x47 = tensor.expand_shape %e46 [[0, 1], [2]] output_shape [1, 16, 64] : tensor<16x64xf16> into tensor<1x16x64xf16>
    %t48 = ktdp.construct_access_tile %o_v5[%pid1#1, %s6, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 15 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<2x64x64xf16> -> !ktdp.access_tile<1x16x64xindex>
    ktdp.store %x47, %t48 : tensor<1x16x64xf16>, !ktdp.access_tile<1x16x64xindex>
    return
  }
}
