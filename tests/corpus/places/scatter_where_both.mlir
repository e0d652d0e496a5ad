// A row is stored at a place from memory where two conditions from memory hold
module {
  func.func @scatter_where_both(%dst: index, %keep: index, %x: index, %y: index) attributes {grid = [6]} {
    %cst_0 = arith.constant 0 : index
    %cst_1 = arith.constant 0 : i32
    %cst_2 = arith.constant 0 : i64
    %cst_3 = arith.constant dense<1.000000e+00> : tensor<1x40xf16>
    %1 = ktdp.get_compute_tile_id : index
    %2 = ktdp.construct_memory_view %dst, sizes: [6], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 5 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<6xi64>
    %3 = ktdp.construct_memory_view %keep, sizes: [6], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 5 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<6xi32>
    %4 = ktdp.construct_memory_view %x, sizes: [6, 40], strides: [40, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 5 >= 0, d1 >= 0, -d1 + 39 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<6x40xf16>
    %5 = ktdp.construct_memory_view %y, sizes: [12, 40], strides: [40, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 11 >= 0, d1 >= 0, -d1 + 39 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<12x40xf16>
    %6 = ktdp.construct_access_tile %2[%1] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<6xi64> -> !ktdp.access_tile<1xindex>
    %7 = ktdp.load %6 : !ktdp.access_tile<1xindex> -> tensor<1xi64>
    %8 = tensor.extract %7[%cst_0] : tensor<1xi64>
    %9 = ktdp.construct_access_tile %3[%1] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<6xi32> -> !ktdp.access_tile<1xindex>
    %10 = ktdp.load %9 : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %11 = tensor.extract %10[%cst_0] : tensor<1xi32>
    %12 = ktdp.construct_access_tile %4[%1, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 39 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<6x40xf16> -> !ktdp.access_tile<1x40xindex>
    %13 = ktdp.load %12 : !ktdp.access_tile<1x40xindex> -> tensor<1x40xf16>
    %14 = arith.cmpi ne, %11, %cst_1 : i32
    scf.if %14 {
      %15 = arith.cmpi sge, %8, %cst_2 : i64
      scf.if %15 {
        %16 = arith.addf %13, %cst_3 : tensor<1x40xf16>
        %17 = arith.index_cast %8 : i64 to index
        %18 = ktdp.construct_access_tile %5[%17, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 39 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<12x40xf16> -> !ktdp.access_tile<1x40xindex>
        ktdp.store %16, %18 : tensor<1x40xf16>, !ktdp.access_tile<1x40xindex>
      }
    }
    return
  }
}
