// Blocks of two vectors of different launch lengths: what the shorter lacks reads as zero
module {
  func.func @two_launch_lengths(%x: index, %w: index, %y: index, %n: i32, %m: i32) attributes {grid = [4]} {
    %cst_0 = arith.constant 1 : index
    %cst_1 = arith.constant 64 : index
    %cst_2 = arith.constant dense<2.000000e+00> : tensor<64xf32>
    %1 = ktdp.get_compute_tile_id : index
    %2 = arith.index_cast %n : i32 to index
    %3 = arith.index_cast %m : i32 to index
    %4 = arith.muli %2, %cst_0 : index
    %5 = ktdp.construct_memory_view %x, sizes: [%2], strides: [1] {coordinate_set = affine_set<(d0)[s0] : (d0 >= 0, -d0 + s0 - 1 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<?xf32>
    %6 = arith.muli %3, %cst_0 : index
    %7 = ktdp.construct_memory_view %w, sizes: [%3], strides: [1] {coordinate_set = affine_set<(d0)[s0] : (d0 >= 0, -d0 + s0 - 1 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<?xf32>
    %8 = arith.muli %2, %cst_0 : index
    %9 = ktdp.construct_memory_view %y, sizes: [%2], strides: [1] {coordinate_set = affine_set<(d0)[s0] : (d0 >= 0, -d0 + s0 - 1 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<?xf32>
    %10 = arith.muli %1, %cst_1 : index
    %11 = ktdp.construct_access_tile %5[%10] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 63 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<?xf32> -> !ktdp.access_tile<64xindex>
    %12 = ktdp.load %11 : !ktdp.access_tile<64xindex> -> tensor<64xf32>
    %13 = arith.mulf %12, %cst_2 : tensor<64xf32>
    %14 = ktdp.construct_access_tile %7[%10] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 63 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<?xf32> -> !ktdp.access_tile<64xindex>
    %15 = ktdp.load %14 : !ktdp.access_tile<64xindex> -> tensor<64xf32>
    %16 = arith.addf %13, %15 : tensor<64xf32>
    %17 = ktdp.construct_access_tile %9[%10] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 63 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<?xf32> -> !ktdp.access_tile<64xindex>
    ktdp.store %16, %17 : tensor<64xf32>, !ktdp.access_tile<64xindex>
    return
  }
}
