// moe_align_block_size: counts an expert, exclusive prefix sum, rank of each token by triangular sums
module {
  func.func @moe_ranks(%ids: index, %counts: index, %offs: index, %rank: index) attributes {grid = [1]} {
    %cst_0 = arith.constant dense<4> : tensor<13xi32>
    %cst_1 = arith.constant dense<0> : tensor<4xi32>
    %cst_2 = arith.constant dense<3> : tensor<4xi32>
    %cst_3 = arith.constant dense<4> : tensor<4xi32>
    %cst_4 = arith.constant dense<0> : tensor<13xi32>
    %1 = ktdp.get_compute_tile_id : index
    %2 = ktdp.construct_memory_view %ids, sizes: [13], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 12 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<13xi32>
    %3 = ktdp.construct_memory_view %counts, sizes: [4], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4xi32>
    %4 = ktdp.construct_memory_view %offs, sizes: [4], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4xi32>
    %5 = ktdp.construct_memory_view %rank, sizes: [13], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 12 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<13xi32>
    %6 = ktdp.construct_access_tile %2[0] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 12 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<13xi32> -> !ktdp.access_tile<13xindex>
    %7 = ktdp.load %6 : !ktdp.access_tile<13xindex> -> tensor<13xi32>
    %8 = arith.remui %7, %cst_0 : tensor<13xi32>
    %9 = tensor.empty() : tensor<13x4xi32>
    %10 = linalg.broadcast ins(%8 : tensor<13xi32>) outs(%9 : tensor<13x4xi32>) dimensions = [1]
    %11 = tensor.empty() : tensor<13x4xi32>
    %12 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%11 : tensor<13x4xi32>) {
    ^bb0(%q12: i32):
      %ix12 = linalg.index 1 : index
      %iv12 = arith.index_cast %ix12 : index to i32
      linalg.yield %iv12 : i32
    } -> tensor<13x4xi32>
    %13 = arith.cmpi eq, %10, %12 : tensor<13x4xi32>
    %14 = arith.extui %13 : tensor<13x4xi1> to tensor<13x4xi32>
    %15 = linalg.reduce { arith.addi } ins(%14 : tensor<13x4xi32>) outs(%cst_1 : tensor<4xi32>) dimensions = [0]
    %16 = ktdp.construct_access_tile %3[0] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<4xi32> -> !ktdp.access_tile<4xindex>
    ktdp.store %15, %16 : tensor<4xi32>, !ktdp.access_tile<4xindex>
    %17 = arith.addi %15, %cst_2 : tensor<4xi32>
    %18 = arith.divsi %17, %cst_3 : tensor<4xi32>
    %19 = arith.muli %18, %cst_3 : tensor<4xi32>
    %20 = tensor.empty() : tensor<4x4xi32>
    %21 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%20 : tensor<4x4xi32>) {
    ^bb0(%q21: i32):
      %ix21 = linalg.index 1 : index
      %iv21 = arith.index_cast %ix21 : index to i32
      linalg.yield %iv21 : i32
    } -> tensor<4x4xi32>
    %22 = tensor.empty() : tensor<4x4xi32>
    %23 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%22 : tensor<4x4xi32>) {
    ^bb0(%q23: i32):
      %ix23 = linalg.index 0 : index
      %iv23 = arith.index_cast %ix23 : index to i32
      linalg.yield %iv23 : i32
    } -> tensor<4x4xi32>
    %24 = arith.cmpi slt, %21, %23 : tensor<4x4xi32>
    %25 = arith.extui %24 : tensor<4x4xi1> to tensor<4x4xi32>
    %26 = tensor.empty() : tensor<4x4xi32>
    %27 = linalg.broadcast ins(%19 : tensor<4xi32>) outs(%26 : tensor<4x4xi32>) dimensions = [0]
    %28 = arith.muli %27, %25 : tensor<4x4xi32>
    %29 = linalg.reduce { arith.addi } ins(%28 : tensor<4x4xi32>) outs(%cst_1 : tensor<4xi32>) dimensions = [1]
    %30 = ktdp.construct_access_tile %4[0] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<4xi32> -> !ktdp.access_tile<4xindex>
    ktdp.store %29, %30 : tensor<4xi32>, !ktdp.access_tile<4xindex>
    %31 = tensor.empty() : tensor<13x13xi32>
    %32 = linalg.broadcast ins(%8 : tensor<13xi32>) outs(%31 : tensor<13x13xi32>) dimensions = [1]
    %33 = tensor.empty() : tensor<13x13xi32>
    %34 = linalg.broadcast ins(%8 : tensor<13xi32>) outs(%33 : tensor<13x13xi32>) dimensions = [0]
    %35 = arith.cmpi eq, %32, %34 : tensor<13x13xi32>
    %36 = arith.extui %35 : tensor<13x13xi1> to tensor<13x13xi32>
    %37 = tensor.empty() : tensor<13x13xi32>
    %38 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%37 : tensor<13x13xi32>) {
    ^bb0(%q38: i32):
      %ix38 = linalg.index 1 : index
      %iv38 = arith.index_cast %ix38 : index to i32
      linalg.yield %iv38 : i32
    } -> tensor<13x13xi32>
    %39 = tensor.empty() : tensor<13x13xi32>
    %40 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%39 : tensor<13x13xi32>) {
    ^bb0(%q40: i32):
      %ix40 = linalg.index 0 : index
      %iv40 = arith.index_cast %ix40 : index to i32
      linalg.yield %iv40 : i32
    } -> tensor<13x13xi32>
    %41 = arith.cmpi slt, %38, %40 : tensor<13x13xi32>
    %42 = arith.extui %41 : tensor<13x13xi1> to tensor<13x13xi32>
    %43 = arith.muli %36, %42 : tensor<13x13xi32>
    %44 = linalg.reduce { arith.addi } ins(%43 : tensor<13x13xi32>) outs(%cst_4 : tensor<13xi32>) dimensions = [1]
    %45 = tensor.empty() : tensor<13x4xi32>
    %46 = linalg.broadcast ins(%29 : tensor<4xi32>) outs(%45 : tensor<13x4xi32>) dimensions = [0]
    %47 = arith.muli %14, %46 : tensor<13x4xi32>
    %48 = linalg.reduce { arith.addi } ins(%47 : tensor<13x4xi32>) outs(%cst_4 : tensor<13xi32>) dimensions = [1]
    %49 = arith.addi %44, %48 : tensor<13xi32>
    %50 = ktdp.construct_access_tile %5[0] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 12 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<13xi32> -> !ktdp.access_tile<13xindex>
    ktdp.store %49, %50 : tensor<13xi32>, !ktdp.access_tile<13xindex>
    return
  }
}
