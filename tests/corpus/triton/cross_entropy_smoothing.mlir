// Liger cross entropy: label smoothing, ignore_index, gradient written over the logits
module {
  func.func @cross_entropy_smoothing(%x_ptr: index, %y_ptr: index, %loss_ptr: index, %z_ptr: index) attributes {grid = [6]} {
    %cst_0 = arith.constant 0 : index
    %cst_1 = arith.constant 3 : i64
    %cst_2 = arith.constant dense<0xFF800000> : tensor<1xf32>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<1xf32>
    %cst_4 = arith.constant 320 : index
    %cst_5 = arith.constant 64 : index
    %cst_6 = arith.constant dense<-3.125000e-04> : tensor<1x64xf32>
    %cst_7 = arith.constant dense<1.000000e-01> : tensor<1xf32>
    %cst_8 = arith.constant dense<9.000000e-01> : tensor<1xf32>
    %cst_9 = arith.constant dense<1.000000e-04> : tensor<1xf32>
    %cst_10 = arith.constant dense<2.000000e-04> : tensor<1x64xf32>
    %cst_11 = arith.constant dense<3.125000e-04> : tensor<1x64xf32>
    %cst_12 = arith.constant dense<9.000000e-01> : tensor<1x64xf32>
    %cst_13 = arith.constant dense<0.000000e+00> : tensor<1x64xf32>
    %cst_14 = arith.constant dense<1.666667e-01> : tensor<1x64xf32>
    %1 = ktdp.get_compute_tile_id : index
    %2 = ktdp.construct_memory_view %x_ptr, sizes: [6, 320], strides: [320, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 5 >= 0, d1 >= 0, -d1 + 319 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<6x320xf32>
    %3 = ktdp.construct_memory_view %y_ptr, sizes: [6], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 5 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<6xi64>
    %4 = ktdp.construct_memory_view %loss_ptr, sizes: [6], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 5 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<6xf32>
    %5 = ktdp.construct_memory_view %z_ptr, sizes: [6], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 5 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<6xf32>
    %6 = ktdp.construct_access_tile %3[%1] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<6xi64> -> !ktdp.access_tile<1xindex>
    %7 = ktdp.load %6 : !ktdp.access_tile<1xindex> -> tensor<1xi64>
    %8 = tensor.extract %7[%cst_0] : tensor<1xi64>
    %9 = arith.cmpi eq, %8, %cst_1 : i64
    %r10:3 = scf.for %i10 = %cst_0 to %cst_4 step %cst_5 iter_args(%it10_0 = %cst_2, %it10_1 = %cst_3, %it10_2 = %cst_3) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) {
      %11 = ktdp.construct_access_tile %2[%1, %i10] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<6x320xf32> -> !ktdp.access_tile<1x64xindex>
      %12 = ktdp.load %11 : !ktdp.access_tile<1x64xindex> -> tensor<1x64xf32>
      %13 = linalg.reduce { arith.maximumf } ins(%12 : tensor<1x64xf32>) outs(%cst_2 : tensor<1xf32>) dimensions = [1]
      %14 = arith.maximumf %it10_0, %13 : tensor<1xf32>
      %15 = tensor.empty() : tensor<1x64xf32>
      %16 = linalg.broadcast ins(%14 : tensor<1xf32>) outs(%15 : tensor<1x64xf32>) dimensions = [1]
      %17 = arith.subf %12, %16 : tensor<1x64xf32>
      %18 = math.exp %17 : tensor<1x64xf32>
      %19 = arith.subf %it10_0, %14 : tensor<1xf32>
      %20 = math.exp %19 : tensor<1xf32>
      %21 = arith.mulf %it10_1, %20 : tensor<1xf32>
      %22 = linalg.reduce { arith.addf } ins(%18 : tensor<1x64xf32>) outs(%cst_3 : tensor<1xf32>) dimensions = [1]
      %23 = arith.addf %21, %22 : tensor<1xf32>
      %24 = arith.mulf %12, %cst_6 : tensor<1x64xf32>
      %25 = linalg.reduce { arith.addf } ins(%24 : tensor<1x64xf32>) outs(%cst_3 : tensor<1xf32>) dimensions = [1]
      %26 = arith.addf %it10_2, %25 : tensor<1xf32>
      scf.yield %14, %23, %26 : tensor<1xf32>, tensor<1xf32>, tensor<1xf32>
    }
    %27 = math.log %r10#1 : tensor<1xf32>
    %28 = arith.addf %r10#0, %27 : tensor<1xf32>
    %29 = arith.index_cast %8 : i64 to index
    %30 = ktdp.construct_access_tile %2[%1, %29] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 0 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<6x320xf32> -> !ktdp.access_tile<1x1xindex>
    %31 = ktdp.load %30 : !ktdp.access_tile<1x1xindex> -> tensor<1x1xf32>
    %32 = tensor.collapse_shape %31 [[0, 1]] : tensor<1x1xf32> into tensor<1xf32>
    %33 = arith.subf %28, %32 : tensor<1xf32>
    %34 = arith.mulf %28, %cst_7 : tensor<1xf32>
    %35 = arith.addf %r10#2, %34 : tensor<1xf32>
    %36 = arith.mulf %33, %cst_8 : tensor<1xf32>
    %37 = arith.addf %36, %35 : tensor<1xf32>
    %38 = arith.mulf %28, %28 : tensor<1xf32>
    %39 = arith.mulf %38, %cst_9 : tensor<1xf32>
    %40 = arith.addf %37, %39 : tensor<1xf32>
    %41 = arith.select %9, %cst_3, %40 : tensor<1xf32>
    %42 = ktdp.construct_access_tile %4[%1] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<6xf32> -> !ktdp.access_tile<1xindex>
    ktdp.store %41, %42 : tensor<1xf32>, !ktdp.access_tile<1xindex>
    %43 = arith.select %9, %cst_3, %39 : tensor<1xf32>
    %44 = ktdp.construct_access_tile %5[%1] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<6xf32> -> !ktdp.access_tile<1xindex>
    ktdp.store %43, %44 : tensor<1xf32>, !ktdp.access_tile<1xindex>
    scf.for %i45 = %cst_0 to %cst_4 step %cst_5 {
      %46 = ktdp.construct_access_tile %2[%1, %i45] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<6x320xf32> -> !ktdp.access_tile<1x64xindex>
      %47 = ktdp.load %46 : !ktdp.access_tile<1x64xindex> -> tensor<1x64xf32>
      %48 = tensor.empty() : tensor<1x64xf32>
      %49 = linalg.broadcast ins(%r10#0 : tensor<1xf32>) outs(%48 : tensor<1x64xf32>) dimensions = [1]
      %50 = arith.subf %47, %49 : tensor<1x64xf32>
      %51 = math.exp %50 : tensor<1x64xf32>
      %52 = tensor.empty() : tensor<1x64xf32>
      %53 = linalg.broadcast ins(%r10#1 : tensor<1xf32>) outs(%52 : tensor<1x64xf32>) dimensions = [1]
      %54 = arith.divf %51, %53 : tensor<1x64xf32>
      %55 = tensor.empty() : tensor<1x64xf32>
      %56 = linalg.broadcast ins(%28 : tensor<1xf32>) outs(%55 : tensor<1x64xf32>) dimensions = [1]
      %57 = arith.mulf %54, %56 : tensor<1x64xf32>
      %58 = arith.mulf %57, %cst_10 : tensor<1x64xf32>
      %59 = arith.addf %54, %58 : tensor<1x64xf32>
      %60 = arith.subf %59, %cst_11 : tensor<1x64xf32>
      %61 = tensor.empty() : tensor<1x64xi64>
      %62 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%61 : tensor<1x64xi64>) {
      ^bb0(%q62: i64):
        %ix62 = linalg.index 1 : index
        %iv62 = arith.index_cast %ix62 : index to i64
        linalg.yield %iv62 : i64
      } -> tensor<1x64xi64>
      %63 = arith.index_cast %i45 : index to i64
      %64 = tensor.splat %63 : tensor<1x64xi64>
      %65 = arith.addi %62, %64 : tensor<1x64xi64>
      %66 = tensor.empty() : tensor<1x64xi64>
      %67 = linalg.broadcast ins(%7 : tensor<1xi64>) outs(%66 : tensor<1x64xi64>) dimensions = [1]
      %68 = arith.cmpi eq, %65, %67 : tensor<1x64xi64>
      %69 = arith.subf %60, %cst_12 : tensor<1x64xf32>
      %70 = arith.select %68, %69, %60 : tensor<1x64xi1>, tensor<1x64xf32>
      %71 = arith.mulf %70, %cst_14 : tensor<1x64xf32>
      %72 = arith.select %9, %cst_13, %71 : tensor<1x64xf32>
      %73 = ktdp.construct_access_tile %2[%1, %i45] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<6x320xf32> -> !ktdp.access_tile<1x64xindex>
      ktdp.store %72, %73 : tensor<1x64xf32>, !ktdp.access_tile<1x64xindex>
    }
    return
  }
}
