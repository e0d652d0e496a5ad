// linalg.elementwise whose map broadcasts the second operand.
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d1)>
#set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#set1 = affine_set<(d0) : (d0 >= 0, -d0 + 63 >= 0)>
module {
  func.func @elementwise_broadcast(%arg0: index, %arg1: index, %arg2: index) attributes {grid = [1]} {
    %c0 = arith.constant 0 : index
    %0 = ktdp.get_compute_tile_id : index
    %1 = ktdp.construct_memory_view %arg0, sizes: [16, 64], strides: [64, 1] {coordinate_set = #set, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<16x64xf32>
    %2 = ktdp.construct_memory_view %arg1, sizes: [64], strides: [1] {coordinate_set = #set1, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<64xf32>
    %3 = ktdp.construct_memory_view %arg2, sizes: [16, 64], strides: [64, 1] {coordinate_set = #set, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<16x64xf32>
    %4 = ktdp.construct_access_tile %1[%c0, %c0] {access_tile_order = #map, access_tile_set = #set} : memref<16x64xf32> -> !ktdp.access_tile<16x64xindex>
    %5 = ktdp.load %4 : <16x64xindex> -> tensor<16x64xf32>
    %6 = ktdp.construct_access_tile %2[%c0] {access_tile_order = #map1, access_tile_set = #set1} : memref<64xf32> -> !ktdp.access_tile<64xindex>
    %7 = ktdp.load %6 : <64xindex> -> tensor<64xf32>
    %cst = arith.constant dense<0.000000e+00> : tensor<16x64xf32>
    %8 = linalg.elementwise <mul> indexing_maps = [#map, #map2, #map] ins(%5, %7 : tensor<16x64xf32>, tensor<64xf32>) outs(%cst : tensor<16x64xf32>) -> tensor<16x64xf32>
    %9 = ktdp.construct_access_tile %3[%c0, %c0] {access_tile_order = #map, access_tile_set = #set} : memref<16x64xf32> -> !ktdp.access_tile<16x64xindex>
    ktdp.store %8, %9 : tensor<16x64xf32>, <16x64xindex>
    return
  }
}
