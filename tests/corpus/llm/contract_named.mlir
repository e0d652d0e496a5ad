// linalg.contract with a transposed first operand.
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d3, d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 63 >= 0, d2 >= 0, -d2 + 3 >= 0)>
#set1 = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 31 >= 0)>
#set2 = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 3 >= 0, d2 >= 0, -d2 + 31 >= 0)>
module {
  func.func @contract_named(%arg0: index, %arg1: index, %arg2: index) attributes {grid = [1]} {
    %c0 = arith.constant 0 : index
    %0 = ktdp.get_compute_tile_id : index
    %1 = ktdp.construct_memory_view %arg0, sizes: [8, 64, 4], strides: [256, 4, 1] {coordinate_set = #set, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<8x64x4xf16>
    %2 = ktdp.construct_memory_view %arg1, sizes: [64, 32], strides: [32, 1] {coordinate_set = #set1, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<64x32xf16>
    %3 = ktdp.construct_memory_view %arg2, sizes: [8, 4, 32], strides: [128, 32, 1] {coordinate_set = #set2, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<8x4x32xf32>
    %4 = ktdp.construct_access_tile %1[%c0, %c0, %c0] {access_tile_order = #map, access_tile_set = #set} : memref<8x64x4xf16> -> !ktdp.access_tile<8x64x4xindex>
    %5 = ktdp.load %4 : <8x64x4xindex> -> tensor<8x64x4xf16>
    %6 = ktdp.construct_access_tile %2[%c0, %c0] {access_tile_order = #map1, access_tile_set = #set1} : memref<64x32xf16> -> !ktdp.access_tile<64x32xindex>
    %7 = ktdp.load %6 : <64x32xindex> -> tensor<64x32xf16>
    %cst = arith.constant dense<0.000000e+00> : tensor<8x4x32xf32>
    %8 = linalg.contract indexing_maps = [#map2, #map3, #map4] ins(%5, %7 : tensor<8x64x4xf16>, tensor<64x32xf16>) outs(%cst : tensor<8x4x32xf32>) -> tensor<8x4x32xf32>
    %9 = ktdp.construct_access_tile %3[%c0, %c0, %c0] {access_tile_order = #map, access_tile_set = #set2} : memref<8x4x32xf32> -> !ktdp.access_tile<8x4x32xindex>
    ktdp.store %8, %9 : tensor<8x4x32xf32>, <8x4x32xindex>
    return
  }
}
