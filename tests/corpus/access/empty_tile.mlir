// A tile of no rows beside one of some
module {
  func.func @empty_tile(%x: index, %y: index) attributes {grid = [2]} {
    %cst_0 = arith.constant 2 : index
    %cst_1 = arith.constant dense<1.000000e+00> : tensor<2x32xf32>
    %1 = ktdp.get_compute_tile_id : index
    %2 = ktdp.construct_memory_view %x, sizes: [4, 32], strides: [32, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 31 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x32xf32>
    %3 = ktdp.construct_memory_view %y, sizes: [4, 32], strides: [32, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 31 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x32xf32>
    %4 = arith.muli %1, %cst_0 : index
    %5 = ktdp.construct_access_tile %2[%4, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + -1 >= 0, d1 >= 0, -d1 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<4x32xf32> -> !ktdp.access_tile<0x32xindex>
    %6 = ktdp.load %5 : !ktdp.access_tile<0x32xindex> -> tensor<0x32xf32>
    %7 = ktdp.construct_access_tile %3[%4, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + -1 >= 0, d1 >= 0, -d1 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<4x32xf32> -> !ktdp.access_tile<0x32xindex>
    ktdp.store %6, %7 : tensor<0x32xf32>, !ktdp.access_tile<0x32xindex>
    %8 = ktdp.construct_access_tile %2[%4, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<4x32xf32> -> !ktdp.access_tile<2x32xindex>
    %9 = ktdp.load %8 : !ktdp.access_tile<2x32xindex> -> tensor<2x32xf32>
    %10 = arith.addf %9, %cst_1 : tensor<2x32xf32>
    %11 = ktdp.construct_access_tile %3[%4, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<4x32xf32> -> !ktdp.access_tile<2x32xindex>
    ktdp.store %10, %11 : tensor<2x32xf32>, !ktdp.access_tile<2x32xindex>
    return
  }
}
