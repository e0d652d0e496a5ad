// Inductor: running sum of blocks of a row of launch length, stored once
module {
  func.func @carried_over_launch_length(%x: index, %y: index, %n: i32) attributes {grid = [3]} {
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<1x64xf32>
    %cst_1 = arith.constant 0 : index
    %cst_2 = arith.constant 64 : index
    %1 = ktdp.get_compute_tile_id : index
    %2 = arith.index_cast %n : i32 to index
    %3 = ktdp.construct_memory_view %x, sizes: [3, %2], strides: [256, 1] {coordinate_set = affine_set<(d0, d1)[s0] : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + s0 - 1 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<3x?xf32>
    %4 = ktdp.construct_memory_view %y, sizes: [3, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<3x64xf32>
    %r5 = scf.for %i5 = %cst_1 to %2 step %cst_2 iter_args(%it5_0 = %cst_0) -> (tensor<1x64xf32>) {
      %6 = ktdp.construct_access_tile %3[%1, %i5] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<3x?xf32> -> !ktdp.access_tile<1x64xindex>
      %7 = ktdp.load %6 : !ktdp.access_tile<1x64xindex> -> tensor<1x64xf32>
      %8 = arith.addf %it5_0, %7 : tensor<1x64xf32>
      scf.yield %8 : tensor<1x64xf32>
    }
    %9 = ktdp.construct_access_tile %4[%1, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<3x64xf32> -> !ktdp.access_tile<1x64xindex>
    ktdp.store %r5, %9 : tensor<1x64xf32>, !ktdp.access_tile<1x64xindex>
    return
  }
}
