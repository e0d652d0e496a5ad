// A loop that sums a number per iteration.
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0) -> (d0)>
#set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#set1 = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>
#set2 = affine_set<(d0, d1) : (d0 >= 0, -d0 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#set3 = affine_set<(d0) : (d0 >= 0, -d0 >= 0)>
module {
  func.func @carried_number(%arg0: index, %arg1: index) attributes {grid = [2]} {
    %c0 = arith.constant 0 : index
    %0 = ktdp.get_compute_tile_id : index
    %1 = ktdp.construct_memory_view %arg0, sizes: [16, 64], strides: [64, 1] {coordinate_set = #set, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<16x64xf32>
    %2 = ktdp.construct_memory_view %arg1, sizes: [2], strides: [1] {coordinate_set = #set1, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2xf32>
    %c8 = arith.constant 8 : index
    %3 = arith.muli %0, %c8 : index
    %c1 = arith.constant 1 : index
    %c8_0 = arith.constant 8 : index
    %cst = arith.constant 0.000000e+00 : f32
    %4 = scf.for %arg2 = %c0 to %c8_0 step %c1 iter_args(%arg3 = %cst) -> (f32) {
      %6 = arith.addi %3, %arg2 : index
      %7 = ktdp.construct_access_tile %1[%6, %c0] {access_tile_order = #map, access_tile_set = #set2} : memref<16x64xf32> -> !ktdp.access_tile<1x64xindex>
      %8 = ktdp.load %7 : <1x64xindex> -> tensor<1x64xf32>
      %cst_1 = arith.constant dense<0.000000e+00> : tensor<f32>
      %reduced = linalg.reduce { arith.addf } ins(%8 : tensor<1x64xf32>) outs(%cst_1 : tensor<f32>) dimensions = [0, 1] 
      %extracted = tensor.extract %reduced[] : tensor<f32>
      %9 = arith.addf %arg3, %extracted : f32
      scf.yield %9 : f32
    }
    %from_elements = tensor.from_elements %4 : tensor<1xf32>
    %5 = ktdp.construct_access_tile %2[%0] {access_tile_order = #map1, access_tile_set = #set3} : memref<2xf32> -> !ktdp.access_tile<1xindex>
    ktdp.store %from_elements, %5 : tensor<1xf32>, <1xindex>
    return
  }
}
