// Llama MLP: silu(x w_gate) * (x w_up), two products of one operand.
module {
  func.func @swiglu(%x: index, %wg: index, %wu: index, %o: index) attributes {grid = [2, 2]} {
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %cst2 = arith.constant dense<0.000000e+00> : tensor<16x32xf32>
    %cst3 = arith.constant dense<1.000000e+00> : tensor<16x32xf32>
    %pid1:2 = ktdp.get_compute_tile_id : index, index
    %x_v2 = ktdp.construct_memory_view %x, sizes: [32, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<32x64xf16>
    %wg_v3 = ktdp.construct_memory_view %wg, sizes: [64, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<64x64xf16>
    %wu_v4 = ktdp.construct_memory_view %wu, sizes: [64, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<64x64xf16>
    %o_v5 = ktdp.construct_memory_view %o, sizes: [32, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<32x64xf16>
    %s6 = arith.muli %pid1#0, %c16 : index
    %s7 = arith.muli %pid1#1, %c32 : index
    %t8 = ktdp.construct_access_tile %x_v2[%s6, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<32x64xf16> -> !ktdp.access_tile<16x64xindex>
    %x9 = ktdp.load %t8 : !ktdp.access_tile<16x64xindex> -> tensor<16x64xf16>
    %t10 = ktdp.construct_access_tile %wg_v3[0, %s7] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<64x64xf16> -> !ktdp.access_tile<64x32xindex>
    %x11 = ktdp.load %t10 : !ktdp.access_tile<64x32xindex> -> tensor<64x32xf16>
    %t12 = ktdp.construct_access_tile %wu_v4[0, %s7] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<64x64xf16> -> !ktdp.access_tile<64x32xindex>
    %x13 = ktdp.load %t12 : !ktdp.access_tile<64x32xindex> -> tensor<64x32xf16>
    %d14 = linalg.matmul ins(%x9, %x11 : tensor<16x64xf16>, tensor<64x32xf16>) outs(%cst2 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %d15 = linalg.matmul ins(%x9, %x13 : tensor<16x64xf16>, tensor<64x32xf16>) outs(%cst2 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %e16 = arith.negf %d14 : tensor<16x32xf32>
    %e17 = math.exp %e16 : tensor<16x32xf32>
    %e18 = arith.addf %e17, %cst3 : tensor<16x32xf32>
    %e19 = arith.divf %d14, %e18 : tensor<16x32xf32>
    %e20 = arith.mulf %e19, %d15 : tensor<16x32xf32>
    %e21 = arith.truncf %e20 : tensor<16x32xf32> to tensor<16x32xf16>
    %t22 = ktdp.construct_access_tile %o_v5[%s6, %s7] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<32x64xf16> -> !ktdp.access_tile<16x32xindex>
    ktdp.store %e21, %t22 : tensor<16x32xf16>, !ktdp.access_tile<16x32xindex>
    return
  }
}
