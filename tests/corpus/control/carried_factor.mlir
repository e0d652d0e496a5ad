// A number that halves from row to row, and scales it.
#map = affine_map<(d0, d1) -> (d0, d1)>
#set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#set1 = affine_set<(d0, d1) : (d0 >= 0, -d0 >= 0, d1 >= 0, -d1 + 63 >= 0)>
module {
  func.func @carried_factor(%arg0: index, %arg1: index) attributes {grid = [2]} {
    %c0 = arith.constant 0 : index
    %0 = ktdp.get_compute_tile_id : index
    %1 = ktdp.construct_memory_view %arg0, sizes: [16, 64], strides: [64, 1] {coordinate_set = #set, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<16x64xf32>
    %2 = ktdp.construct_memory_view %arg1, sizes: [16, 64], strides: [64, 1] {coordinate_set = #set, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<16x64xf32>
    %c8 = arith.constant 8 : index
    %3 = arith.muli %0, %c8 : index
    %c1 = arith.constant 1 : index
    %c8_0 = arith.constant 8 : index
    %cst = arith.constant 1.000000e+00 : f32
    %cst_1 = arith.constant 5.000000e-01 : f32
    %4 = scf.for %arg2 = %c0 to %c8_0 step %c1 iter_args(%arg3 = %cst) -> (f32) {
      %5 = arith.addi %3, %arg2 : index
      %6 = ktdp.construct_access_tile %1[%5, %c0] {access_tile_order = #map, access_tile_set = #set1} : memref<16x64xf32> -> !ktdp.access_tile<1x64xindex>
      %7 = ktdp.load %6 : <1x64xindex> -> tensor<1x64xf32>
      %splat = tensor.splat %arg3 : tensor<1x64xf32>
      %8 = arith.mulf %7, %splat : tensor<1x64xf32>
      %9 = ktdp.construct_access_tile %2[%5, %c0] {access_tile_order = #map, access_tile_set = #set1} : memref<16x64xf32> -> !ktdp.access_tile<1x64xindex>
      ktdp.store %8, %9 : tensor<1x64xf32>, <1x64xindex>
      %10 = arith.mulf %arg3, %cst_1 : f32
      scf.yield %10 : f32
    }
    return
  }
}
