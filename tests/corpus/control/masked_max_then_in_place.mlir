// Maximum over masked blocks of a row, then the row overwritten block by block with what needs it
module {
  func.func @masked_max_then_in_place(%x: index, %o: index) attributes {grid = [2]} {
    %cst_0 = arith.constant dense<-1.000000e+30> : tensor<1xf32>
    %cst_1 = arith.constant 0 : index
    %cst_2 = arith.constant 128 : index
    %cst_3 = arith.constant 64 : index
    %cst_4 = arith.constant dense<117> : tensor<1x64xi32>
    %cst_5 = arith.constant dense<-1.000000e+30> : tensor<1x64xf32>
    %cst_6 = arith.constant dense<0xFF800000> : tensor<1xf32>
    %1 = ktdp.get_compute_tile_id : index
    %2 = ktdp.construct_memory_view %x, sizes: [2, 128], strides: [128, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 127 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x128xf32>
    %3 = ktdp.construct_memory_view %o, sizes: [2], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2xf32>
    %r4 = scf.for %i4 = %cst_1 to %cst_2 step %cst_3 iter_args(%it4_0 = %cst_0) -> (tensor<1xf32>) {
      %5 = tensor.empty() : tensor<1x64xi32>
      %6 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%5 : tensor<1x64xi32>) {
      ^bb0(%q6: i32):
        %ix6 = linalg.index 1 : index
        %iv6 = arith.index_cast %ix6 : index to i32
        linalg.yield %iv6 : i32
      } -> tensor<1x64xi32>
      %7 = arith.index_cast %i4 : index to i32
      %8 = tensor.splat %7 : tensor<1x64xi32>
      %9 = arith.addi %6, %8 : tensor<1x64xi32>
      %10 = arith.cmpi slt, %9, %cst_4 : tensor<1x64xi32>
      %11 = ktdp.construct_access_tile %2[%1, %i4] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<2x128xf32> -> !ktdp.access_tile<1x64xindex>
      %12 = ktdp.load %11 : !ktdp.access_tile<1x64xindex> -> tensor<1x64xf32>
      %13 = arith.select %10, %12, %cst_5 : tensor<1x64xi1>, tensor<1x64xf32>
      %14 = linalg.reduce { arith.maximumf } ins(%13 : tensor<1x64xf32>) outs(%cst_6 : tensor<1xf32>) dimensions = [1]
      %15 = arith.maximumf %it4_0, %14 : tensor<1xf32>
      scf.yield %15 : tensor<1xf32>
    }
    %16 = ktdp.construct_access_tile %3[%1] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<2xf32> -> !ktdp.access_tile<1xindex>
    ktdp.store %r4, %16 : tensor<1xf32>, !ktdp.access_tile<1xindex>
    scf.for %i17 = %cst_1 to %cst_2 step %cst_3 {
      %18 = ktdp.construct_access_tile %2[%1, %i17] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<2x128xf32> -> !ktdp.access_tile<1x64xindex>
      %19 = ktdp.load %18 : !ktdp.access_tile<1x64xindex> -> tensor<1x64xf32>
      %20 = tensor.empty() : tensor<1x64xf32>
      %21 = linalg.broadcast ins(%r4 : tensor<1xf32>) outs(%20 : tensor<1x64xf32>) dimensions = [1]
      %22 = arith.subf %19, %21 : tensor<1x64xf32>
      %23 = math.exp %22 : tensor<1x64xf32>
      %24 = ktdp.construct_access_tile %2[%1, %i17] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<2x128xf32> -> !ktdp.access_tile<1x64xindex>
      ktdp.store %23, %24 : tensor<1x64xf32>, !ktdp.access_tile<1x64xindex>
    }
    return
  }
}
