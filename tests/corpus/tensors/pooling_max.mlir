// The largest of windows of two by two.
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#set = affine_set<(d0, d1, d2, d3) : (d0 >= 0, -d0 >= 0, d1 >= 0, -d1 + 7 >= 0, d2 >= 0, -d2 + 7 >= 0, d3 >= 0, -d3 + 63 >= 0)>
#set1 = affine_set<(d0, d1) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 1 >= 0)>
#set2 = affine_set<(d0, d1, d2, d3) : (d0 >= 0, -d0 >= 0, d1 >= 0, -d1 + 3 >= 0, d2 >= 0, -d2 + 3 >= 0, d3 >= 0, -d3 + 63 >= 0)>
module {
  func.func @pooling_max(%arg0: index, %arg1: index, %arg2: index) attributes {grid = [1]} {
    %c0 = arith.constant 0 : index
    %0 = ktdp.get_compute_tile_id : index
    %1 = ktdp.construct_memory_view %arg0, sizes: [1, 8, 8, 64], strides: [4096, 512, 64, 1] {coordinate_set = #set, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<1x8x8x64xf32>
    %2 = ktdp.construct_memory_view %arg1, sizes: [2, 2], strides: [2, 1] {coordinate_set = #set1, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x2xf32>
    %3 = ktdp.construct_memory_view %arg2, sizes: [1, 4, 4, 64], strides: [1024, 256, 64, 1] {coordinate_set = #set2, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<1x4x4x64xf32>
    %4 = ktdp.construct_access_tile %1[%c0, %c0, %c0, %c0] {access_tile_order = #map, access_tile_set = #set} : memref<1x8x8x64xf32> -> !ktdp.access_tile<1x8x8x64xindex>
    %5 = ktdp.load %4 : <1x8x8x64xindex> -> tensor<1x8x8x64xf32>
    %6 = ktdp.construct_access_tile %2[%c0, %c0] {access_tile_order = #map1, access_tile_set = #set1} : memref<2x2xf32> -> !ktdp.access_tile<2x2xindex>
    %7 = ktdp.load %6 : <2x2xindex> -> tensor<2x2xf32>
    %cst = arith.constant dense<-3.000000e+38> : tensor<1x4x4x64xf32>
    %8 = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%5, %7 : tensor<1x8x8x64xf32>, tensor<2x2xf32>) outs(%cst : tensor<1x4x4x64xf32>) -> tensor<1x4x4x64xf32>
    %9 = ktdp.construct_access_tile %3[%c0, %c0, %c0, %c0] {access_tile_order = #map, access_tile_set = #set2} : memref<1x4x4x64xf32> -> !ktdp.access_tile<1x4x4x64xindex>
    ktdp.store %8, %9 : tensor<1x4x4x64xf32>, <1x4x4x64xindex>
    return
  }
}
