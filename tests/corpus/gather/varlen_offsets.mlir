// Ragged rows: start from cumulative lengths, rows beyond the length masked away
module {
  func.func @varlen_offsets(%cu: index, %x: index, %y: index) attributes {grid = [4]} {
    %cst_0 = arith.constant 0 : index
    %cst_1 = arith.constant 1 : index
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<8x40xf32>
    %1 = ktdp.get_compute_tile_id : index
    %2 = ktdp.construct_memory_view %cu, sizes: [5], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 4 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<5xi32>
    %3 = ktdp.construct_memory_view %x, sizes: [24, 40], strides: [40, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 23 >= 0, d1 >= 0, -d1 + 39 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<24x40xf32>
    %4 = ktdp.construct_memory_view %y, sizes: [4, 8, 40], strides: [320, 40, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 7 >= 0, d2 >= 0, -d2 + 39 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x8x40xf32>
    %5 = ktdp.construct_access_tile %2[%1] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<5xi32> -> !ktdp.access_tile<1xindex>
    %6 = ktdp.load %5 : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %7 = tensor.extract %6[%cst_0] : tensor<1xi32>
    %8 = arith.addi %1, %cst_1 : index
    %9 = ktdp.construct_access_tile %2[%8] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<5xi32> -> !ktdp.access_tile<1xindex>
    %10 = ktdp.load %9 : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %11 = tensor.extract %10[%cst_0] : tensor<1xi32>
    %12 = arith.subi %11, %7 : i32
    %13 = arith.index_cast %7 : i32 to index
    %14 = ktdp.construct_access_tile %3[%13, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 39 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<24x40xf32> -> !ktdp.access_tile<8x40xindex>
    %15 = ktdp.load %14 : !ktdp.access_tile<8x40xindex> -> tensor<8x40xf32>
    %16 = tensor.empty() : tensor<8x40xi32>
    %17 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%16 : tensor<8x40xi32>) {
    ^bb0(%q17: i32):
      %ix17 = linalg.index 0 : index
      %iv17 = arith.index_cast %ix17 : index to i32
      linalg.yield %iv17 : i32
    } -> tensor<8x40xi32>
    %18 = tensor.splat %12 : tensor<8x40xi32>
    %19 = arith.cmpi slt, %17, %18 : tensor<8x40xi32>
    %20 = arith.select %19, %15, %cst_2 : tensor<8x40xi1>, tensor<8x40xf32>
    %21 = tensor.expand_shape %20 [[0, 1], [2]] output_shape [1, 8, 40] : tensor<8x40xf32> into tensor<1x8x40xf32>
    %22 = ktdp.construct_access_tile %4[%1, 0, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 7 >= 0, d2 >= 0, -d2 + 39 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<4x8x40xf32> -> !ktdp.access_tile<1x8x40xindex>
    ktdp.store %21, %22 : tensor<1x8x40xf32>, !ktdp.access_tile<1x8x40xindex>
    return
  }
}
