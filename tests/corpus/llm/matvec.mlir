// linalg.matvec: 64 rows of 96 against one vector.
module {
  func.func @matvec(%a: index, %x: index, %c: index) attributes {grid = [4]} {
    %pid = ktdp.get_compute_tile_id : index
    %z = arith.constant 0 : index
    %bm = arith.constant 16 : index
    %m0 = arith.muli %pid, %bm : index
    %av = ktdp.construct_memory_view %a, sizes: [64, 96], strides: [96, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 95 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<64x96xf16>
    %xv = ktdp.construct_memory_view %x, sizes: [96], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 95 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<96xf16>
    %cv = ktdp.construct_memory_view %c, sizes: [64], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<64xf32>
    %at_t = ktdp.construct_access_tile %av[%m0, %z] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 95 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<64x96xf16> -> !ktdp.access_tile<16x96xindex>
    %at = ktdp.load %at_t : !ktdp.access_tile<16x96xindex> -> tensor<16x96xf16>
    %xt_t = ktdp.construct_access_tile %xv[%z] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 95 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<96xf16> -> !ktdp.access_tile<96xindex>
    %xt = ktdp.load %xt_t : !ktdp.access_tile<96xindex> -> tensor<96xf16>
    %zero = arith.constant dense<0.000000e+00> : tensor<16xf32>
    %y = linalg.matvec ins(%at, %xt : tensor<16x96xf16>, tensor<96xf16>) outs(%zero : tensor<16xf32>) -> tensor<16xf32>
    %y_st = ktdp.construct_access_tile %cv[%m0] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 15 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<64xf32> -> !ktdp.access_tile<16xindex>
    ktdp.store %y, %y_st : tensor<16xf32>, !ktdp.access_tile<16xindex>
    return
  }
}
