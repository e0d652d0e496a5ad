// A convolution by name, channels last, every second place.
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#set = affine_set<(d0, d1, d2, d3) : (d0 >= 0, -d0 >= 0, d1 >= 0, -d1 + 6 >= 0, d2 >= 0, -d2 + 6 >= 0, d3 >= 0, -d3 + 15 >= 0)>
#set1 = affine_set<(d0, d1, d2, d3) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 2 >= 0, d2 >= 0, -d2 + 15 >= 0, d3 >= 0, -d3 + 31 >= 0)>
#set2 = affine_set<(d0, d1, d2, d3) : (d0 >= 0, -d0 >= 0, d1 >= 0, -d1 + 2 >= 0, d2 >= 0, -d2 + 2 >= 0, d3 >= 0, -d3 + 31 >= 0)>
module {
  func.func @conv_2d_stride_2(%arg0: index, %arg1: index, %arg2: index) attributes {grid = [1]} {
    %c0 = arith.constant 0 : index
    %0 = ktdp.get_compute_tile_id : index
    %1 = ktdp.construct_memory_view %arg0, sizes: [1, 7, 7, 16], strides: [784, 112, 16, 1] {coordinate_set = #set, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<1x7x7x16xf32>
    %2 = ktdp.construct_memory_view %arg1, sizes: [3, 3, 16, 32], strides: [1536, 512, 32, 1] {coordinate_set = #set1, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<3x3x16x32xf32>
    %3 = ktdp.construct_memory_view %arg2, sizes: [1, 3, 3, 32], strides: [288, 96, 32, 1] {coordinate_set = #set2, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<1x3x3x32xf32>
    %4 = ktdp.construct_access_tile %1[%c0, %c0, %c0, %c0] {access_tile_order = #map, access_tile_set = #set} : memref<1x7x7x16xf32> -> !ktdp.access_tile<1x7x7x16xindex>
    %5 = ktdp.load %4 : <1x7x7x16xindex> -> tensor<1x7x7x16xf32>
    %6 = ktdp.construct_access_tile %2[%c0, %c0, %c0, %c0] {access_tile_order = #map, access_tile_set = #set1} : memref<3x3x16x32xf32> -> !ktdp.access_tile<3x3x16x32xindex>
    %7 = ktdp.load %6 : <3x3x16x32xindex> -> tensor<3x3x16x32xf32>
    %cst = arith.constant dense<0.000000e+00> : tensor<1x3x3x32xf32>
    %8 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%5, %7 : tensor<1x7x7x16xf32>, tensor<3x3x16x32xf32>) outs(%cst : tensor<1x3x3x32xf32>) -> tensor<1x3x3x32xf32>
    %9 = ktdp.construct_access_tile %3[%c0, %c0, %c0, %c0] {access_tile_order = #map, access_tile_set = #set2} : memref<1x3x3x32xf32> -> !ktdp.access_tile<1x3x3x32xindex>
    ktdp.store %8, %9 : tensor<1x3x3x32xf32>, <1x3x3x32xindex>
    return
  }
}
