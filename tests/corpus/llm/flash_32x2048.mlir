// Causal attention of 32 heads over 2,048 positions: a head a tile, a loop over blocks of queries, one loop over whole
// blocks of keys, one over those on the diagonal.
module {
  func.func @flash_32x2048(%q: index, %k: index, %v: index, %o: index) attributes {grid = [32]} {
    %cst0 = arith.constant dense<0xFF800000> : tensor<512xf32>
    %cst1 = arith.constant dense<0.000000e+00> : tensor<512xf32>
    %cst2 = arith.constant dense<0.000000e+00> : tensor<512x128xf32>
    %c0 = arith.constant 0 : index
    %c2048 = arith.constant 2048 : index
    %c512 = arith.constant 512 : index
    %cst6 = arith.constant dense<1.275174e-01> : tensor<512x128xf32>
    %c128 = arith.constant 128 : index
    %cst8 = arith.constant dense<0xFF800000> : tensor<512x128xf32>
    %pid1 = ktdp.get_compute_tile_id : index
    %q_v2 = ktdp.construct_memory_view %q, sizes: [32, 2048, 128], strides: [262144, 128, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 2047 >= 0, d2 >= 0, -d2 + 127 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<32x2048x128xf16>
    %k_v3 = ktdp.construct_memory_view %k, sizes: [32, 2048, 128], strides: [262144, 128, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 2047 >= 0, d2 >= 0, -d2 + 127 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<32x2048x128xf16>
    %v_v4 = ktdp.construct_memory_view %v, sizes: [32, 2048, 128], strides: [262144, 128, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 2047 >= 0, d2 >= 0, -d2 + 127 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<32x2048x128xf16>
    %o_v5 = ktdp.construct_memory_view %o, sizes: [32, 2048, 128], strides: [262144, 128, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 2047 >= 0, d2 >= 0, -d2 + 127 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<32x2048x128xf16>
    scf.for %iv6 = %c0 to %c2048 step %c512 {
      %t8 = ktdp.construct_access_tile %q_v2[%pid1, %iv6, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 511 >= 0, d2 >= 0, -d2 + 127 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<32x2048x128xf16> -> !ktdp.access_tile<1x512x128xindex>
      %x9 = ktdp.load %t8 : !ktdp.access_tile<1x512x128xindex> -> tensor<1x512x128xf16>
      %c10 = tensor.collapse_shape %x9 [[0, 1], [2]] : tensor<1x512x128xf16> into tensor<512x128xf16>
      %e11 = arith.extf %c10 : tensor<512x128xf16> to tensor<512x128xf32>
      %e12 = arith.mulf %e11, %cst6 : tensor<512x128xf32>
      %e13 = arith.truncf %e12 : tensor<512x128xf32> to tensor<512x128xf16>
      %for15:3 = scf.for %iv14 = %c0 to %iv6 step %c128 iter_args(%it16 = %cst0, %it17 = %cst1, %it18 = %cst2) -> (tensor<512xf32>, tensor<512xf32>, tensor<512x128xf32>) {
        %t19 = ktdp.construct_access_tile %k_v3[%pid1, %iv14, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 127 >= 0, d2 >= 0, -d2 + 127 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d2, d1)>} : memref<32x2048x128xf16> -> !ktdp.access_tile<1x128x128xindex>
        %x20 = ktdp.load %t19 : !ktdp.access_tile<1x128x128xindex> -> tensor<1x128x128xf16>
        %c21 = tensor.collapse_shape %x20 [[0, 1], [2]] : tensor<1x128x128xf16> into tensor<128x128xf16>
        %d22 = linalg.matmul ins(%e13, %c21 : tensor<512x128xf16>, tensor<128x128xf16>) outs(%cst2 : tensor<512x128xf32>) -> tensor<512x128xf32>
        %r23 = linalg.reduce { arith.maximumf } ins(%d22 : tensor<512x128xf32>) outs(%cst0 : tensor<512xf32>) dimensions = [1]
        %e24 = arith.maximumf %it16, %r23 : tensor<512xf32>
        %em25 = tensor.empty() : tensor<512x128xf32>
        %b26 = linalg.broadcast ins(%e24 : tensor<512xf32>) outs(%em25 : tensor<512x128xf32>) dimensions = [1]
        %e27 = arith.subf %d22, %b26 : tensor<512x128xf32>
        %e28 = math.exp2 %e27 : tensor<512x128xf32>
        %e29 = arith.subf %it16, %e24 : tensor<512xf32>
        %e30 = math.exp2 %e29 : tensor<512xf32>
        %e31 = arith.mulf %it17, %e30 : tensor<512xf32>
        %r32 = linalg.reduce { arith.addf } ins(%e28 : tensor<512x128xf32>) outs(%cst1 : tensor<512xf32>) dimensions = [1]
        %e33 = arith.addf %e31, %r32 : tensor<512xf32>
        %em34 = tensor.empty() : tensor<512x128xf32>
        %b35 = linalg.broadcast ins(%e30 : tensor<512xf32>) outs(%em34 : tensor<512x128xf32>) dimensions = [1]
        %e36 = arith.mulf %it18, %b35 : tensor<512x128xf32>
        %e37 = arith.truncf %e28 : tensor<512x128xf32> to tensor<512x128xf16>
        %t38 = ktdp.construct_access_tile %v_v4[%pid1, %iv14, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 127 >= 0, d2 >= 0, -d2 + 127 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<32x2048x128xf16> -> !ktdp.access_tile<1x128x128xindex>
        %x39 = ktdp.load %t38 : !ktdp.access_tile<1x128x128xindex> -> tensor<1x128x128xf16>
        %c40 = tensor.collapse_shape %x39 [[0, 1], [2]] : tensor<1x128x128xf16> into tensor<128x128xf16>
        %d41 = linalg.matmul ins(%e37, %c40 : tensor<512x128xf16>, tensor<128x128xf16>) outs(%cst2 : tensor<512x128xf32>) -> tensor<512x128xf32>
        %e42 = arith.addf %e36, %d41 : tensor<512x128xf32>
        scf.yield %e24, %e33, %e42 : tensor<512xf32>, tensor<512xf32>, tensor<512x128xf32>
      }
      %s43 = arith.addi %iv6, %c512 : index
      %for45:3 = scf.for %iv44 = %iv6 to %s43 step %c128 iter_args(%it46 = %for15#0, %it47 = %for15#1, %it48 = %for15#2) -> (tensor<512xf32>, tensor<512xf32>, tensor<512x128xf32>) {
        %t49 = ktdp.construct_access_tile %k_v3[%pid1, %iv44, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 127 >= 0, d2 >= 0, -d2 + 127 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d2, d1)>} : memref<32x2048x128xf16> -> !ktdp.access_tile<1x128x128xindex>
        %x50 = ktdp.load %t49 : !ktdp.access_tile<1x128x128xindex> -> tensor<1x128x128xf16>
        %c51 = tensor.collapse_shape %x50 [[0, 1], [2]] : tensor<1x128x128xf16> into tensor<128x128xf16>
        %d52 = linalg.matmul ins(%e13, %c51 : tensor<512x128xf16>, tensor<128x128xf16>) outs(%cst2 : tensor<512x128xf32>) -> tensor<512x128xf32>
        %s53 = arith.index_cast %iv6 : index to i32
        %sp54 = tensor.splat %s53 : tensor<512xi32>
        %em56 = tensor.empty() : tensor<512xi32>
        %ar55 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%em56 : tensor<512xi32>) {
        ^bb0(%ou: i32):
          %gi = linalg.index 0 : index
          %gv = arith.index_cast %gi : index to i32
          linalg.yield %gv : i32
        } -> tensor<512xi32>
        %e57 = arith.addi %sp54, %ar55 : tensor<512xi32>
        %s58 = arith.index_cast %iv44 : index to i32
        %sp59 = tensor.splat %s58 : tensor<128xi32>
        %em61 = tensor.empty() : tensor<128xi32>
        %ar60 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%em61 : tensor<128xi32>) {
        ^bb0(%ou: i32):
          %gi = linalg.index 0 : index
          %gv = arith.index_cast %gi : index to i32
          linalg.yield %gv : i32
        } -> tensor<128xi32>
        %e62 = arith.addi %sp59, %ar60 : tensor<128xi32>
        %em63 = tensor.empty() : tensor<512x128xi32>
        %b64 = linalg.broadcast ins(%e57 : tensor<512xi32>) outs(%em63 : tensor<512x128xi32>) dimensions = [1]
        %em65 = tensor.empty() : tensor<512x128xi32>
        %b66 = linalg.broadcast ins(%e62 : tensor<128xi32>) outs(%em65 : tensor<512x128xi32>) dimensions = [0]
        %cm67 = arith.cmpi sge, %b64, %b66 : tensor<512x128xi32>
        %se68 = arith.select %cm67, %d52, %cst8 : tensor<512x128xi1>, tensor<512x128xf32>
        %r69 = linalg.reduce { arith.maximumf } ins(%se68 : tensor<512x128xf32>) outs(%cst0 : tensor<512xf32>) dimensions = [1]
        %e70 = arith.maximumf %it46, %r69 : tensor<512xf32>
        %em71 = tensor.empty() : tensor<512x128xf32>
        %b72 = linalg.broadcast ins(%e70 : tensor<512xf32>) outs(%em71 : tensor<512x128xf32>) dimensions = [1]
        %e73 = arith.subf %se68, %b72 : tensor<512x128xf32>
        %e74 = math.exp2 %e73 : tensor<512x128xf32>
        %e75 = arith.subf %it46, %e70 : tensor<512xf32>
        %e76 = math.exp2 %e75 : tensor<512xf32>
        %e77 = arith.mulf %it47, %e76 : tensor<512xf32>
        %r78 = linalg.reduce { arith.addf } ins(%e74 : tensor<512x128xf32>) outs(%cst1 : tensor<512xf32>) dimensions = [1]
        %e79 = arith.addf %e77, %r78 : tensor<512xf32>
        %em80 = tensor.empty() : tensor<512x128xf32>
        %b81 = linalg.broadcast ins(%e76 : tensor<512xf32>) outs(%em80 : tensor<512x128xf32>) dimensions = [1]
        %e82 = arith.mulf %it48, %b81 : tensor<512x128xf32>
        %e83 = arith.truncf %e74 : tensor<512x128xf32> to tensor<512x128xf16>
        %t84 = ktdp.construct_access_tile %v_v4[%pid1, %iv44, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 127 >= 0, d2 >= 0, -d2 + 127 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<32x2048x128xf16> -> !ktdp.access_tile<1x128x128xindex>
        %x85 = ktdp.load %t84 : !ktdp.access_tile<1x128x128xindex> -> tensor<1x128x128xf16>
        %c86 = tensor.collapse_shape %x85 [[0, 1], [2]] : tensor<1x128x128xf16> into tensor<128x128xf16>
        %d87 = linalg.matmul ins(%e83, %c86 : tensor<512x128xf16>, tensor<128x128xf16>) outs(%cst2 : tensor<512x128xf32>) -> tensor<512x128xf32>
        %e88 = arith.addf %e82, %d87 : tensor<512x128xf32>
        scf.yield %e70, %e79, %e88 : tensor<512xf32>, tensor<512xf32>, tensor<512x128xf32>
      }
      %em89 = tensor.empty() : tensor<512x128xf32>
      %b90 = linalg.broadcast ins(%for45#1 : tensor<512xf32>) outs(%em89 : tensor<512x128xf32>) dimensions = [1]
      %e91 = arith.divf %for45#2, %b90 : tensor<512x128xf32>
      %e92 = arith.truncf %e91 : tensor<512x128xf32> to tensor<512x128xf16>
      %x93 = tensor.expand_shape %e92 [[0, 1], [2]] output_shape [1, 512, 128] : tensor<512x128xf16> into tensor<1x512x128xf16>
      %t94 = ktdp.construct_access_tile %o_v5[%pid1, %iv6, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 511 >= 0, d2 >= 0, -d2 + 127 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<32x2048x128xf16> -> !ktdp.access_tile<1x512x128xindex>
      ktdp.store %x93, %t94 : tensor<1x512x128xf16>, !ktdp.access_tile<1x512x128xindex>
    }
    return
  }
}
