// Softmax of one row by blocks: the running maximum and sum are numbers.
#map = affine_map<(d0, d1) -> (d0, d1)>
#set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 255 >= 0)>
#set1 = affine_set<(d0, d1) : (d0 >= 0, -d0 >= 0, d1 >= 0, -d1 + 63 >= 0)>
module {
  func.func @carried_online_row(%arg0: index, %arg1: index) attributes {grid = [4]} {
    %c0 = arith.constant 0 : index
    %0 = ktdp.get_compute_tile_id : index
    %1 = ktdp.construct_memory_view %arg0, sizes: [4, 256], strides: [256, 1] {coordinate_set = #set, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x256xf32>
    %2 = ktdp.construct_memory_view %arg1, sizes: [4, 256], strides: [256, 1] {coordinate_set = #set, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x256xf32>
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %cst = arith.constant -3.000000e+38 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_2 = arith.constant dense<-3.000000e+38> : tensor<f32>
    %3:2 = scf.for %arg2 = %c0 to %c256 step %c64 iter_args(%arg3 = %cst, %arg4 = %cst_0) -> (f32, f32) {
      %4 = ktdp.construct_access_tile %1[%0, %arg2] {access_tile_order = #map, access_tile_set = #set1} : memref<4x256xf32> -> !ktdp.access_tile<1x64xindex>
      %5 = ktdp.load %4 : <1x64xindex> -> tensor<1x64xf32>
      %reduced = linalg.reduce { arith.maximumf } ins(%5 : tensor<1x64xf32>) outs(%cst_2 : tensor<f32>) dimensions = [0, 1] 
      %extracted = tensor.extract %reduced[] : tensor<f32>
      %6 = arith.maximumf %arg3, %extracted : f32
      %7 = arith.subf %arg3, %6 : f32
      %8 = math.exp %7 : f32
      %splat = tensor.splat %6 : tensor<1x64xf32>
      %9 = arith.subf %5, %splat : tensor<1x64xf32>
      %10 = math.exp %9 : tensor<1x64xf32>
      %reduced_3 = linalg.reduce { arith.addf } ins(%10 : tensor<1x64xf32>) outs(%cst_1 : tensor<f32>) dimensions = [0, 1] 
      %extracted_4 = tensor.extract %reduced_3[] : tensor<f32>
      %11 = arith.mulf %arg4, %8 : f32
      %12 = arith.addf %11, %extracted_4 : f32
      scf.yield %6, %12 : f32, f32
    }
    scf.for %arg2 = %c0 to %c256 step %c64 {
      %4 = ktdp.construct_access_tile %1[%0, %arg2] {access_tile_order = #map, access_tile_set = #set1} : memref<4x256xf32> -> !ktdp.access_tile<1x64xindex>
      %5 = ktdp.load %4 : <1x64xindex> -> tensor<1x64xf32>
      %splat = tensor.splat %3#0 : tensor<1x64xf32>
      %splat_3 = tensor.splat %3#1 : tensor<1x64xf32>
      %6 = arith.subf %5, %splat : tensor<1x64xf32>
      %7 = math.exp %6 : tensor<1x64xf32>
      %8 = arith.divf %7, %splat_3 : tensor<1x64xf32>
      %9 = ktdp.construct_access_tile %2[%0, %arg2] {access_tile_order = #map, access_tile_set = #set1} : memref<4x256xf32> -> !ktdp.access_tile<1x64xindex>
      ktdp.store %8, %9 : tensor<1x64xf32>, <1x64xindex>
    }
    return
  }
}
