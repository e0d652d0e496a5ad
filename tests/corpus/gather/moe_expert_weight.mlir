// MoE: the expert of a block of tokens from memory gives the weights of a product
module {
  func.func @moe_expert_weight(%x: index, %ids: index, %w: index, %y: index) attributes {grid = [4]} {
    %cst_0 = arith.constant 0 : index
    %cst_1 = arith.constant 16 : index
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<16x48xf32>
    %1 = ktdp.get_compute_tile_id : index
    %2 = ktdp.construct_memory_view %x, sizes: [64, 32], strides: [32, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 31 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<64x32xf16>
    %3 = ktdp.construct_memory_view %ids, sizes: [4], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4xi32>
    %4 = ktdp.construct_memory_view %w, sizes: [8, 32, 48], strides: [1536, 48, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 31 >= 0, d2 >= 0, -d2 + 47 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<8x32x48xf16>
    %5 = ktdp.construct_memory_view %y, sizes: [64, 48], strides: [48, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 47 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<64x48xf16>
    %6 = ktdp.construct_access_tile %3[%1] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<4xi32> -> !ktdp.access_tile<1xindex>
    %7 = ktdp.load %6 : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %8 = tensor.extract %7[%cst_0] : tensor<1xi32>
    %9 = arith.index_cast %8 : i32 to index
    %10 = arith.muli %1, %cst_1 : index
    %11 = ktdp.construct_access_tile %2[%10, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<64x32xf16> -> !ktdp.access_tile<16x32xindex>
    %12 = ktdp.load %11 : !ktdp.access_tile<16x32xindex> -> tensor<16x32xf16>
    %13 = ktdp.construct_access_tile %4[%9, 0, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 31 >= 0, d2 >= 0, -d2 + 47 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<8x32x48xf16> -> !ktdp.access_tile<1x32x48xindex>
    %14 = ktdp.load %13 : !ktdp.access_tile<1x32x48xindex> -> tensor<1x32x48xf16>
    %15 = tensor.collapse_shape %14 [[0, 1], [2]] : tensor<1x32x48xf16> into tensor<32x48xf16>
    %16 = linalg.matmul ins(%12, %15 : tensor<16x32xf16>, tensor<32x48xf16>) outs(%cst_2 : tensor<16x48xf32>) -> tensor<16x48xf32>
    %17 = arith.truncf %16 : tensor<16x48xf32> to tensor<16x48xf16>
    %18 = ktdp.construct_access_tile %5[%10, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 47 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<64x48xf16> -> !ktdp.access_tile<16x48xindex>
    ktdp.store %17, %18 : tensor<16x48xf16>, !ktdp.access_tile<16x48xindex>
    return
  }
}
