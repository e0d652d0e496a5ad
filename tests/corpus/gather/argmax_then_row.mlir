// The column of the maximum picks a row of another table
module {
  func.func @argmax_then_row(%x: index, %w: index, %y: index) attributes {grid = [4]} {
    %cst_0 = arith.constant dense<0xFF800000> : tensor<1xf32>
    %cst_1 = arith.constant dense<1048576> : tensor<1x40xi32>
    %cst_2 = arith.constant dense<2147483647> : tensor<1xi32>
    %cst_3 = arith.constant 0 : index
    %1 = ktdp.get_compute_tile_id : index
    %2 = ktdp.construct_memory_view %x, sizes: [4, 40], strides: [40, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 39 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x40xf32>
    %3 = ktdp.construct_memory_view %w, sizes: [40, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 39 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<40x64xf16>
    %4 = ktdp.construct_memory_view %y, sizes: [4, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x64xf16>
    %5 = ktdp.construct_access_tile %2[%1, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 39 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<4x40xf32> -> !ktdp.access_tile<1x40xindex>
    %6 = ktdp.load %5 : !ktdp.access_tile<1x40xindex> -> tensor<1x40xf32>
    %7 = linalg.reduce { arith.maximumf } ins(%6 : tensor<1x40xf32>) outs(%cst_0 : tensor<1xf32>) dimensions = [1]
    %8 = tensor.empty() : tensor<1x40xf32>
    %9 = linalg.broadcast ins(%7 : tensor<1xf32>) outs(%8 : tensor<1x40xf32>) dimensions = [1]
    %10 = arith.cmpf oeq, %6, %9 : tensor<1x40xf32>
    %11 = tensor.empty() : tensor<1x40xi32>
    %12 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%11 : tensor<1x40xi32>) {
    ^bb0(%q12: i32):
      %ix12 = linalg.index 1 : index
      %iv12 = arith.index_cast %ix12 : index to i32
      linalg.yield %iv12 : i32
    } -> tensor<1x40xi32>
    %13 = arith.select %10, %12, %cst_1 : tensor<1x40xi1>, tensor<1x40xi32>
    %14 = linalg.reduce { arith.minsi } ins(%13 : tensor<1x40xi32>) outs(%cst_2 : tensor<1xi32>) dimensions = [1]
    %15 = tensor.extract %14[%cst_3] : tensor<1xi32>
    %16 = arith.index_cast %15 : i32 to index
    %17 = ktdp.construct_access_tile %3[%16, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<40x64xf16> -> !ktdp.access_tile<1x64xindex>
    %18 = ktdp.load %17 : !ktdp.access_tile<1x64xindex> -> tensor<1x64xf16>
    %19 = ktdp.construct_access_tile %4[%1, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<4x64xf16> -> !ktdp.access_tile<1x64xindex>
    ktdp.store %18, %19 : tensor<1x64xf16>, !ktdp.access_tile<1x64xindex>
    return
  }
}
