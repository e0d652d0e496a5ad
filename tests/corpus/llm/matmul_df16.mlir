// matmul, df16 inputs and result, f32 sums.
module {
  func.func @matmul_df16(%a: index, %b: index, %c: index) attributes {grid = [2, 1]} {
    %pid:2 = ktdp.get_compute_tile_id : index, index
    %bm = arith.constant 16 : index
    %bn = arith.constant 64 : index
    %z = arith.constant 0 : index
    %m0 = arith.muli %pid#0, %bm : index
    %n0 = arith.muli %pid#1, %bn : index
    %av = ktdp.construct_memory_view %a, sizes: [32, 48], strides: [48, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 47 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<32x48x!spyreop.df16>
    %bv = ktdp.construct_memory_view %b, sizes: [48, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 47 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<48x64x!spyreop.df16>
    %cv = ktdp.construct_memory_view %c, sizes: [32, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<32x64x!spyreop.df16>
    %at_t = ktdp.construct_access_tile %av[%m0, %z] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 47 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<32x48x!spyreop.df16> -> !ktdp.access_tile<16x48xindex>
    %at = ktdp.load %at_t : !ktdp.access_tile<16x48xindex> -> tensor<16x48x!spyreop.df16>
    %bt_t = ktdp.construct_access_tile %bv[%z, %n0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 47 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<48x64x!spyreop.df16> -> !ktdp.access_tile<48x64xindex>
    %bt = ktdp.load %bt_t : !ktdp.access_tile<48x64xindex> -> tensor<48x64x!spyreop.df16>
    %zero = arith.constant dense<0.000000e+00> : tensor<16x64xf32>
    %y = linalg.matmul ins(%at, %bt : tensor<16x48x!spyreop.df16>, tensor<48x64x!spyreop.df16>) outs(%zero : tensor<16x64xf32>) -> tensor<16x64xf32>
    %o = arith.truncf %y : tensor<16x64xf32> to tensor<16x64x!spyreop.df16>
    %o_st = ktdp.construct_access_tile %cv[%m0, %n0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<32x64x!spyreop.df16> -> !ktdp.access_tile<16x64xindex>
    ktdp.store %o, %o_st : tensor<16x64x!spyreop.df16>, !ktdp.access_tile<16x64xindex>
    return
  }
}
