// Triton's causal attention: an i32 loop that ends at the tile's own rows, a mask from two ranges, sums that start at 1.
module {
  func.func @flash_causal_i32(%q: index, %k: index, %v: index, %o: index) attributes {grid = [3]} {
    %cst0 = arith.constant 16 : i32
    %cst1 = arith.constant dense<0xFF800000> : tensor<16xf32>
    %cst2 = arith.constant dense<1.000000e+00> : tensor<16xf32>
    %cst3 = arith.constant dense<0.000000e+00> : tensor<16x64xf32>
    %cst4 = arith.constant 0 : i32
    %cst5 = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
    %cst6 = arith.constant dense<1.803369e-01> : tensor<16x16xf32>
    %cst7 = arith.constant dense<-1.000000e+06> : tensor<16x16xf32>
    %cst8 = arith.constant dense<0.000000e+00> : tensor<16xf32>
    %pid1 = ktdp.get_compute_tile_id : index
    %q_v2 = ktdp.construct_memory_view %q, sizes: [48, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 47 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<48x64xf16>
    %k_v3 = ktdp.construct_memory_view %k, sizes: [48, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 47 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<48x64xf16>
    %v_v4 = ktdp.construct_memory_view %v, sizes: [48, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 47 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<48x64xf16>
    %o_v5 = ktdp.construct_memory_view %o, sizes: [48, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 47 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<48x64xf16>
    %s6 = arith.index_cast %pid1 : index to i32
    %s7 = arith.muli %s6, %cst0 : i32
    %s8 = arith.index_cast %s7 : i32 to index
    %s9 = arith.addi %s7, %cst0 : i32
    %t10 = ktdp.construct_access_tile %q_v2[%s8, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<48x64xf16> -> !ktdp.access_tile<16x64xindex>
    %x11 = ktdp.load %t10 : !ktdp.access_tile<16x64xindex> -> tensor<16x64xf16>
    %for13:3 = scf.for %iv12 = %cst4 to %s9 step %cst0 iter_args(%it14 = %cst1, %it15 = %cst2, %it16 = %cst3) -> (tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>)  : i32 {
      %s17 = arith.index_cast %iv12 : i32 to index
      %t18 = ktdp.construct_access_tile %k_v3[%s17, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d1, d0)>} : memref<48x64xf16> -> !ktdp.access_tile<64x16xindex>
      %x19 = ktdp.load %t18 : !ktdp.access_tile<64x16xindex> -> tensor<64x16xf16>
      %t20 = ktdp.construct_access_tile %v_v4[%s17, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<48x64xf16> -> !ktdp.access_tile<16x64xindex>
      %x21 = ktdp.load %t20 : !ktdp.access_tile<16x64xindex> -> tensor<16x64xf16>
      %d22 = linalg.matmul ins(%x11, %x19 : tensor<16x64xf16>, tensor<64x16xf16>) outs(%cst5 : tensor<16x16xf32>) -> tensor<16x16xf32>
      %e23 = arith.mulf %d22, %cst6 : tensor<16x16xf32>
      %sp24 = tensor.splat %s7 : tensor<16xi32>
      %em26 = tensor.empty() : tensor<16xi32>
      %ar25 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%em26 : tensor<16xi32>) {
      ^bb0(%ou: i32):
        %gi = linalg.index 0 : index
        %gv = arith.index_cast %gi : index to i32
        linalg.yield %gv : i32
      } -> tensor<16xi32>
      %e27 = arith.addi %sp24, %ar25 : tensor<16xi32>
      %sp28 = tensor.splat %iv12 : tensor<16xi32>
      %em30 = tensor.empty() : tensor<16xi32>
      %ar29 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%em30 : tensor<16xi32>) {
      ^bb0(%ou: i32):
        %gi = linalg.index 0 : index
        %gv = arith.index_cast %gi : index to i32
        linalg.yield %gv : i32
      } -> tensor<16xi32>
      %e31 = arith.addi %sp28, %ar29 : tensor<16xi32>
      %em32 = tensor.empty() : tensor<16x16xi32>
      %b33 = linalg.broadcast ins(%e27 : tensor<16xi32>) outs(%em32 : tensor<16x16xi32>) dimensions = [1]
      %em34 = tensor.empty() : tensor<16x16xi32>
      %b35 = linalg.broadcast ins(%e31 : tensor<16xi32>) outs(%em34 : tensor<16x16xi32>) dimensions = [0]
      %cm36 = arith.cmpi sge, %b33, %b35 : tensor<16x16xi32>
      %se37 = arith.select %cm36, %e23, %cst7 : tensor<16x16xi1>, tensor<16x16xf32>
      %r38 = linalg.reduce { arith.maximumf } ins(%se37 : tensor<16x16xf32>) outs(%cst1 : tensor<16xf32>) dimensions = [1]
      %e39 = arith.maximumf %it14, %r38 : tensor<16xf32>
      %em40 = tensor.empty() : tensor<16x16xf32>
      %b41 = linalg.broadcast ins(%e39 : tensor<16xf32>) outs(%em40 : tensor<16x16xf32>) dimensions = [1]
      %e42 = arith.subf %se37, %b41 : tensor<16x16xf32>
      %e43 = math.exp2 %e42 : tensor<16x16xf32>
      %e44 = arith.subf %it14, %e39 : tensor<16xf32>
      %e45 = math.exp2 %e44 : tensor<16xf32>
      %r46 = linalg.reduce { arith.addf } ins(%e43 : tensor<16x16xf32>) outs(%cst8 : tensor<16xf32>) dimensions = [1]
      %e47 = arith.mulf %it15, %e45 : tensor<16xf32>
      %e48 = arith.addf %e47, %r46 : tensor<16xf32>
      %em49 = tensor.empty() : tensor<16x64xf32>
      %b50 = linalg.broadcast ins(%e45 : tensor<16xf32>) outs(%em49 : tensor<16x64xf32>) dimensions = [1]
      %e51 = arith.mulf %it16, %b50 : tensor<16x64xf32>
      %e52 = arith.truncf %e43 : tensor<16x16xf32> to tensor<16x16xf16>
      %d53 = linalg.matmul ins(%e52, %x21 : tensor<16x16xf16>, tensor<16x64xf16>) outs(%cst3 : tensor<16x64xf32>) -> tensor<16x64xf32>
      %e54 = arith.addf %e51, %d53 : tensor<16x64xf32>
      scf.yield %e39, %e48, %e54 : tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>
    }
    %em55 = tensor.empty() : tensor<16x64xf32>
    %b56 = linalg.broadcast ins(%for13#1 : tensor<16xf32>) outs(%em55 : tensor<16x64xf32>) dimensions = [1]
    %e57 = arith.divf %for13#2, %b56 : tensor<16x64xf32>
    %e58 = arith.truncf %e57 : tensor<16x64xf32> to tensor<16x64xf16>
    %t59 = ktdp.construct_access_tile %o_v5[%s8, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<48x64xf16> -> !ktdp.access_tile<16x64xindex>
    ktdp.store %e58, %t59 : tensor<16x64xf16>, !ktdp.access_tile<16x64xindex>
    return
  }
}
