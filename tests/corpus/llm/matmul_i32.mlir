// matmul of integers.
module {
  func.func @matmul_i32(%a: index, %b: index, %c: index) attributes {grid = [1, 2]} {
    %pid:2 = ktdp.get_compute_tile_id : index, index
    %bm = arith.constant 8 : index
    %bn = arith.constant 16 : index
    %z = arith.constant 0 : index
    %m0 = arith.muli %pid#0, %bm : index
    %n0 = arith.muli %pid#1, %bn : index
    %av = ktdp.construct_memory_view %a, sizes: [8, 16], strides: [16, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 15 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<8x16xi32>
    %bv = ktdp.construct_memory_view %b, sizes: [16, 32], strides: [32, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 31 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<16x32xi32>
    %cv = ktdp.construct_memory_view %c, sizes: [8, 32], strides: [32, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 31 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<8x32xi32>
    %at_t = ktdp.construct_access_tile %av[%m0, %z] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 15 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<8x16xi32> -> !ktdp.access_tile<8x16xindex>
    %at = ktdp.load %at_t : !ktdp.access_tile<8x16xindex> -> tensor<8x16xi32>
    %bt_t = ktdp.construct_access_tile %bv[%z, %n0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 15 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<16x32xi32> -> !ktdp.access_tile<16x16xindex>
    %bt = ktdp.load %bt_t : !ktdp.access_tile<16x16xindex> -> tensor<16x16xi32>
    %zero = arith.constant dense<0> : tensor<8x16xi32>
    %y = linalg.matmul ins(%at, %bt : tensor<8x16xi32>, tensor<16x16xi32>) outs(%zero : tensor<8x16xi32>) -> tensor<8x16xi32>
    %y_st = ktdp.construct_access_tile %cv[%m0, %n0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 15 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<8x32xi32> -> !ktdp.access_tile<8x16xindex>
    ktdp.store %y, %y_st : tensor<8x16xi32>, !ktdp.access_tile<8x16xindex>
    return
  }
}
