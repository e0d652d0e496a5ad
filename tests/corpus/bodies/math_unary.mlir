// Every unary function of the math dialect in one chain of sums, f32.
module {
  func.func @math_unary(%x: index, %out: index) attributes {grid = [2]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [4, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<4x64xf32>
    %t1 = ktdp.construct_access_tile %xv[%me * 2, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<4x64xf32> -> !ktdp.access_tile<2x64xindex>
    %d2 = ktdp.load %t1 : <2x64xindex> -> tensor<2x64xf32>
    %v3 = math.absf %d2 : tensor<2x64xf32>
    %v4 = math.exp %v3 : tensor<2x64xf32>
    %v5 = arith.addf %v3, %v4 : tensor<2x64xf32>
    %v6 = math.exp2 %v3 : tensor<2x64xf32>
    %v7 = arith.addf %v5, %v6 : tensor<2x64xf32>
    %v8 = math.expm1 %v3 : tensor<2x64xf32>
    %v9 = arith.addf %v7, %v8 : tensor<2x64xf32>
    %v10 = math.log %v3 : tensor<2x64xf32>
    %v11 = arith.addf %v9, %v10 : tensor<2x64xf32>
    %v12 = math.log2 %v3 : tensor<2x64xf32>
    %v13 = arith.addf %v11, %v12 : tensor<2x64xf32>
    %v14 = math.log10 %v3 : tensor<2x64xf32>
    %v15 = arith.addf %v13, %v14 : tensor<2x64xf32>
    %v16 = math.log1p %v3 : tensor<2x64xf32>
    %v17 = arith.addf %v15, %v16 : tensor<2x64xf32>
    %v18 = math.sqrt %v3 : tensor<2x64xf32>
    %v19 = arith.addf %v17, %v18 : tensor<2x64xf32>
    %v20 = math.rsqrt %v3 : tensor<2x64xf32>
    %v21 = arith.addf %v19, %v20 : tensor<2x64xf32>
    %v22 = math.cbrt %v3 : tensor<2x64xf32>
    %v23 = arith.addf %v21, %v22 : tensor<2x64xf32>
    %v24 = math.tanh %v3 : tensor<2x64xf32>
    %v25 = arith.addf %v23, %v24 : tensor<2x64xf32>
    %v26 = math.sin %v3 : tensor<2x64xf32>
    %v27 = arith.addf %v25, %v26 : tensor<2x64xf32>
    %v28 = math.cos %v3 : tensor<2x64xf32>
    %v29 = arith.addf %v27, %v28 : tensor<2x64xf32>
    %v30 = math.tan %v3 : tensor<2x64xf32>
    %v31 = arith.addf %v29, %v30 : tensor<2x64xf32>
    %v32 = math.erf %v3 : tensor<2x64xf32>
    %v33 = arith.addf %v31, %v32 : tensor<2x64xf32>
    %v34 = math.absf %v3 : tensor<2x64xf32>
    %v35 = arith.addf %v33, %v34 : tensor<2x64xf32>
    %v36 = math.ceil %v3 : tensor<2x64xf32>
    %v37 = arith.addf %v35, %v36 : tensor<2x64xf32>
    %v38 = math.floor %v3 : tensor<2x64xf32>
    %v39 = arith.addf %v37, %v38 : tensor<2x64xf32>
    %v40 = math.round %v3 : tensor<2x64xf32>
    %v41 = arith.addf %v39, %v40 : tensor<2x64xf32>
    %v42 = math.roundeven %v3 : tensor<2x64xf32>
    %v43 = arith.addf %v41, %v42 : tensor<2x64xf32>
    %v44 = math.trunc %v3 : tensor<2x64xf32>
    %v45 = arith.addf %v43, %v44 : tensor<2x64xf32>
    %v46 = math.atan %v3 : tensor<2x64xf32>
    %v47 = arith.addf %v45, %v46 : tensor<2x64xf32>
    %v48 = math.asin %d2 : tensor<2x64xf32>
    %v49 = arith.addf %v47, %v48 : tensor<2x64xf32>
    %v50 = math.acos %d2 : tensor<2x64xf32>
    %v51 = arith.addf %v49, %v50 : tensor<2x64xf32>
    %v52 = math.sinh %v3 : tensor<2x64xf32>
    %v53 = arith.addf %v51, %v52 : tensor<2x64xf32>
    %v54 = math.cosh %v3 : tensor<2x64xf32>
    %v55 = arith.addf %v53, %v54 : tensor<2x64xf32>
    %v56 = math.asinh %v3 : tensor<2x64xf32>
    %v57 = arith.addf %v55, %v56 : tensor<2x64xf32>
    %v58 = math.acosh %v3 : tensor<2x64xf32>
    %v59 = arith.addf %v57, %v58 : tensor<2x64xf32>
    %v60 = math.atanh %d2 : tensor<2x64xf32>
    %v61 = arith.addf %v59, %v60 : tensor<2x64xf32>
    %outv = ktdp.construct_memory_view %out, sizes: [4, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<4x64xf32>
    %t62 = ktdp.construct_access_tile %outv[%me * 2, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<4x64xf32> -> !ktdp.access_tile<2x64xindex>
    ktdp.store %v61, %t62 : tensor<2x64xf32>, <2x64xindex>
    return
  }
}
