// Three products of one tensor, each with a result of its own.
module {
  func.func @fused_qkv(%x: index, %wq: index, %wk: index, %wv: index, %q: index, %kk: index, %vv: index) attributes {grid = [2]} {
    %v1 = ktdp.get_compute_tile_id : index
    %v2 = arith.constant 16 : index
    %v3 = arith.muli %v1, %v2 : index
    %v4 = ktdp.construct_memory_view %x, sizes: [32, 64], strides: [64, 1] {coordinate_set = affine_set<(d0,d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<32x64xf16>
    %v5 = ktdp.construct_access_tile %v4[%v3, 0] {access_tile_set = affine_set<(d0,d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<32x64xf16> -> !ktdp.access_tile<16x64xindex>
    %v6 = ktdp.load %v5 : !ktdp.access_tile<16x64xindex> -> tensor<16x64xf16>
    %v7 = ktdp.construct_memory_view %wq, sizes: [64, 64], strides: [64, 1] {coordinate_set = affine_set<(d0,d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<64x64xf16>
    %v8 = ktdp.construct_access_tile %v7[0, 0] {access_tile_set = affine_set<(d0,d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<64x64xf16> -> !ktdp.access_tile<64x64xindex>
    %v9 = ktdp.load %v8 : !ktdp.access_tile<64x64xindex> -> tensor<64x64xf16>
    %v10 = arith.constant dense<0.0> : tensor<16x64xf32>
    %v11 = linalg.matmul ins(%v6, %v9 : tensor<16x64xf16>, tensor<64x64xf16>) outs(%v10 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %v12 = arith.truncf %v11 : tensor<16x64xf32> to tensor<16x64xf16>
    %v13 = ktdp.construct_memory_view %q, sizes: [32, 64], strides: [64, 1] {coordinate_set = affine_set<(d0,d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<32x64xf16>
    %v14 = ktdp.construct_access_tile %v13[%v3, 0] {access_tile_set = affine_set<(d0,d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<32x64xf16> -> !ktdp.access_tile<16x64xindex>
    ktdp.store %v12, %v14 : tensor<16x64xf16>, !ktdp.access_tile<16x64xindex>
    %v15 = ktdp.construct_memory_view %wk, sizes: [64, 64], strides: [64, 1] {coordinate_set = affine_set<(d0,d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<64x64xf16>
    %v16 = ktdp.construct_access_tile %v15[0, 0] {access_tile_set = affine_set<(d0,d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<64x64xf16> -> !ktdp.access_tile<64x64xindex>
    %v17 = ktdp.load %v16 : !ktdp.access_tile<64x64xindex> -> tensor<64x64xf16>
    %v18 = arith.constant dense<0.0> : tensor<16x64xf32>
    %v19 = linalg.matmul ins(%v6, %v17 : tensor<16x64xf16>, tensor<64x64xf16>) outs(%v18 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %v20 = arith.truncf %v19 : tensor<16x64xf32> to tensor<16x64xf16>
    %v21 = ktdp.construct_memory_view %kk, sizes: [32, 64], strides: [64, 1] {coordinate_set = affine_set<(d0,d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<32x64xf16>
    %v22 = ktdp.construct_access_tile %v21[%v3, 0] {access_tile_set = affine_set<(d0,d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<32x64xf16> -> !ktdp.access_tile<16x64xindex>
    ktdp.store %v20, %v22 : tensor<16x64xf16>, !ktdp.access_tile<16x64xindex>
    %v23 = ktdp.construct_memory_view %wv, sizes: [64, 64], strides: [64, 1] {coordinate_set = affine_set<(d0,d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<64x64xf16>
    %v24 = ktdp.construct_access_tile %v23[0, 0] {access_tile_set = affine_set<(d0,d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<64x64xf16> -> !ktdp.access_tile<64x64xindex>
    %v25 = ktdp.load %v24 : !ktdp.access_tile<64x64xindex> -> tensor<64x64xf16>
    %v26 = arith.constant dense<0.0> : tensor<16x64xf32>
    %v27 = linalg.matmul ins(%v6, %v25 : tensor<16x64xf16>, tensor<64x64xf16>) outs(%v26 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %v28 = arith.truncf %v27 : tensor<16x64xf32> to tensor<16x64xf16>
    %v29 = ktdp.construct_memory_view %vv, sizes: [32, 64], strides: [64, 1] {coordinate_set = affine_set<(d0,d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<32x64xf16>
    %v30 = ktdp.construct_access_tile %v29[%v3, 0] {access_tile_set = affine_set<(d0,d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<32x64xf16> -> !ktdp.access_tile<16x64xindex>
    ktdp.store %v28, %v30 : tensor<16x64xf16>, !ktdp.access_tile<16x64xindex>
    return
  }
}
