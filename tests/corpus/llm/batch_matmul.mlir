// Batch matmul: values of attention, eight heads, two a tile.
module {
  func.func @batch_matmul(%a: index, %b: index, %c: index) attributes {grid = [4]} {
    %pid = ktdp.get_compute_tile_id : index
    %z = arith.constant 0 : index
    %two = arith.constant 2 : index
    %b0 = arith.muli %pid, %two : index
    %av = ktdp.construct_memory_view %a, sizes: [8, 16, 32], strides: [512, 32, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 15 >= 0, d2 >= 0, -d2 + 31 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<8x16x32xf16>
    %bv = ktdp.construct_memory_view %b, sizes: [8, 32, 64], strides: [2048, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 31 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<8x32x64xf16>
    %cv = ktdp.construct_memory_view %c, sizes: [8, 16, 64], strides: [1024, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 15 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<8x16x64xf16>
    %at_t = ktdp.construct_access_tile %av[%b0, %z, %z] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 15 >= 0, d2 >= 0, -d2 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<8x16x32xf16> -> !ktdp.access_tile<2x16x32xindex>
    %at = ktdp.load %at_t : !ktdp.access_tile<2x16x32xindex> -> tensor<2x16x32xf16>
    %bt_t = ktdp.construct_access_tile %bv[%b0, %z, %z] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 31 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<8x32x64xf16> -> !ktdp.access_tile<2x32x64xindex>
    %bt = ktdp.load %bt_t : !ktdp.access_tile<2x32x64xindex> -> tensor<2x32x64xf16>
    %zero = arith.constant dense<0.000000e+00> : tensor<2x16x64xf16>
    %y = linalg.batch_matmul ins(%at, %bt : tensor<2x16x32xf16>, tensor<2x32x64xf16>) outs(%zero : tensor<2x16x64xf16>) -> tensor<2x16x64xf16>
    %y_st = ktdp.construct_access_tile %cv[%b0, %z, %z] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 15 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<8x16x64xf16> -> !ktdp.access_tile<2x16x64xindex>
    ktdp.store %y, %y_st : tensor<2x16x64xf16>, !ktdp.access_tile<2x16x64xindex>
    return
  }
}
