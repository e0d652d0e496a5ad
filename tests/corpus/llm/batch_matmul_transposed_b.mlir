// A batch of products with a transposed second operand, by its indexing maps.
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 31 >= 0, d2 >= 0, -d2 + 63 >= 0)>
#set1 = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 47 >= 0, d2 >= 0, -d2 + 63 >= 0)>
#set2 = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 31 >= 0, d2 >= 0, -d2 + 47 >= 0)>
#set3 = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 >= 0, d1 >= 0, -d1 + 31 >= 0, d2 >= 0, -d2 + 63 >= 0)>
#set4 = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 >= 0, d1 >= 0, -d1 + 47 >= 0, d2 >= 0, -d2 + 63 >= 0)>
#set5 = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 >= 0, d1 >= 0, -d1 + 31 >= 0, d2 >= 0, -d2 + 47 >= 0)>
module {
  func.func @batch_matmul_transposed_b(%arg0: index, %arg1: index, %arg2: index) attributes {grid = [2]} {
    %c0 = arith.constant 0 : index
    %0 = ktdp.get_compute_tile_id : index
    %1 = ktdp.construct_memory_view %arg0, sizes: [2, 32, 64], strides: [2048, 64, 1] {coordinate_set = #set, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x32x64xf16>
    %2 = ktdp.construct_memory_view %arg1, sizes: [2, 48, 64], strides: [3072, 64, 1] {coordinate_set = #set1, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x48x64xf16>
    %3 = ktdp.construct_memory_view %arg2, sizes: [2, 32, 48], strides: [1536, 48, 1] {coordinate_set = #set2, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x32x48xf32>
    %4 = ktdp.construct_access_tile %1[%0, %c0, %c0] {access_tile_order = #map, access_tile_set = #set3} : memref<2x32x64xf16> -> !ktdp.access_tile<1x32x64xindex>
    %5 = ktdp.load %4 : <1x32x64xindex> -> tensor<1x32x64xf16>
    %6 = ktdp.construct_access_tile %2[%0, %c0, %c0] {access_tile_order = #map, access_tile_set = #set4} : memref<2x48x64xf16> -> !ktdp.access_tile<1x48x64xindex>
    %7 = ktdp.load %6 : <1x48x64xindex> -> tensor<1x48x64xf16>
    %cst = arith.constant dense<0.000000e+00> : tensor<1x32x48xf32>
    %8 = linalg.batch_matmul indexing_maps = [#map1, #map2, #map3] ins(%5, %7 : tensor<1x32x64xf16>, tensor<1x48x64xf16>) outs(%cst : tensor<1x32x48xf32>) -> tensor<1x32x48xf32>
    %9 = ktdp.construct_access_tile %3[%0, %c0, %c0] {access_tile_order = #map, access_tile_set = #set5} : memref<2x32x48xf32> -> !ktdp.access_tile<1x32x48xindex>
    ktdp.store %8, %9 : tensor<1x32x48xf32>, <1x32x48xindex>
    return
  }
}
