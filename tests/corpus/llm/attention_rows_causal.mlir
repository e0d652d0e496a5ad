// Attention over whole rows under a causal mask made from indices.
module {
  func.func @attention_rows_causal(%q: index, %k: index, %v: index, %o: index) attributes {grid = [4]} {
    %c16 = arith.constant 16 : index
    %cst1 = arith.constant dense<0.000000e+00> : tensor<16x64xf32>
    %cst2 = arith.constant dense<1.250000e-01> : tensor<16x64xf32>
    %c0 = arith.constant 0 : index
    %cst4 = arith.constant 0xFF800000 : f32
    %cst5 = arith.constant dense<0xFF800000> : tensor<16xf32>
    %cst6 = arith.constant dense<0.000000e+00> : tensor<16xf32>
    %pid1 = ktdp.get_compute_tile_id : index
    %q_v2 = ktdp.construct_memory_view %q, sizes: [64, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<64x64xf16>
    %k_v3 = ktdp.construct_memory_view %k, sizes: [64, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<64x64xf16>
    %v_v4 = ktdp.construct_memory_view %v, sizes: [64, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<64x64xf16>
    %o_v5 = ktdp.construct_memory_view %o, sizes: [64, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<64x64xf16>
    %s6 = arith.muli %pid1, %c16 : index
    %t7 = ktdp.construct_access_tile %q_v2[%s6, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<64x64xf16> -> !ktdp.access_tile<16x64xindex>
    %x8 = ktdp.load %t7 : !ktdp.access_tile<16x64xindex> -> tensor<16x64xf16>
    %t9 = ktdp.construct_access_tile %k_v3[0, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d1, d0)>} : memref<64x64xf16> -> !ktdp.access_tile<64x64xindex>
    %x10 = ktdp.load %t9 : !ktdp.access_tile<64x64xindex> -> tensor<64x64xf16>
    %t11 = ktdp.construct_access_tile %v_v4[0, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<64x64xf16> -> !ktdp.access_tile<64x64xindex>
    %x12 = ktdp.load %t11 : !ktdp.access_tile<64x64xindex> -> tensor<64x64xf16>
    %d13 = linalg.matmul ins(%x8, %x10 : tensor<16x64xf16>, tensor<64x64xf16>) outs(%cst1 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %e14 = arith.mulf %d13, %cst2 : tensor<16x64xf32>
    %em16 = tensor.empty() : tensor<16x64xf32>
    %m15 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%e14 : tensor<16x64xf32>) outs(%em16 : tensor<16x64xf32>) {
    ^bb0(%in: f32, %ou: f32):
      %gi = linalg.index 0 : index
      %gj = linalg.index 1 : index
      %grow = arith.addi %s6, %gi : index
      %gcol = arith.addi %c0, %gj : index
      %gc = arith.cmpi ule, %gcol, %grow : index
      %gs = arith.select %gc, %in, %cst4 : f32
      linalg.yield %gs : f32
    } -> tensor<16x64xf32>
    %r17 = linalg.reduce { arith.maximumf } ins(%m15 : tensor<16x64xf32>) outs(%cst5 : tensor<16xf32>) dimensions = [1]
    %em18 = tensor.empty() : tensor<16x64xf32>
    %b19 = linalg.broadcast ins(%r17 : tensor<16xf32>) outs(%em18 : tensor<16x64xf32>) dimensions = [1]
    %e20 = arith.subf %m15, %b19 : tensor<16x64xf32>
    %e21 = math.exp %e20 : tensor<16x64xf32>
    %r22 = linalg.reduce { arith.addf } ins(%e21 : tensor<16x64xf32>) outs(%cst6 : tensor<16xf32>) dimensions = [1]
    %em23 = tensor.empty() : tensor<16x64xf32>
    %b24 = linalg.broadcast ins(%r22 : tensor<16xf32>) outs(%em23 : tensor<16x64xf32>) dimensions = [1]
    %e25 = arith.divf %e21, %b24 : tensor<16x64xf32>
    %e26 = arith.truncf %e25 : tensor<16x64xf32> to tensor<16x64xf16>
    %d27 = linalg.matmul ins(%e26, %x12 : tensor<16x64xf16>, tensor<64x64xf16>) outs(%cst1 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %e28 = arith.truncf %d27 : tensor<16x64xf32> to tensor<16x64xf16>
    %t29 = ktdp.construct_access_tile %o_v5[%s6, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<64x64xf16> -> !ktdp.access_tile<16x64xindex>
    ktdp.store %e28, %t29 : tensor<16x64xf16>, !ktdp.access_tile<16x64xindex>
    return
  }
}
