// Sums over blocks whose rows are rotated, and sums that start from the maxima of columns: stored as they are
module {
  func.func @carried_rolled_terms(%x: index, %y: index, %o: index) attributes {grid = [2]} {
    %1 = ktdp.get_compute_tile_id : index
    %2 = ktdp.construct_memory_view %x, sizes: [2, 4, 64], strides: [256, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 3 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x4x64xf32>
    %3 = ktdp.construct_memory_view %y, sizes: [2, 12, 64], strides: [768, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 11 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x12x64xf32>
    %4 = ktdp.construct_memory_view %o, sizes: [2, 8, 64], strides: [512, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 7 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x8x64xf32>
    %5 = arith.constant 0 : index
    %6 = arith.constant 12 : index
    %7 = arith.constant 4 : index
    %8 = ktdp.construct_access_tile %2[%1, 0, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 3 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<2x4x64xf32> -> !ktdp.access_tile<1x4x64xindex>
    %9 = ktdp.load %8 : !ktdp.access_tile<1x4x64xindex> -> tensor<1x4x64xf32>
    %10 = tensor.collapse_shape %9 [[0, 1], [2]] : tensor<1x4x64xf32> into tensor<4x64xf32>
    %11 = arith.constant dense<0.0> : tensor<64xf32>
    %12 = linalg.reduce { arith.maximumf } ins(%10 : tensor<4x64xf32>) outs(%11 : tensor<64xf32>) dimensions = [0]
    %13 = tensor.empty() : tensor<4x64xf32>
    %14 = linalg.broadcast ins(%12 : tensor<64xf32>) outs(%13 : tensor<4x64xf32>) dimensions = [0]
    %16:1 = scf.for %15 = %5 to %6 step %7 iter_args(%17 = %10) -> (tensor<4x64xf32>) {
      %18 = ktdp.construct_access_tile %3[%1, %15, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 3 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<2x12x64xf32> -> !ktdp.access_tile<1x4x64xindex>
      %19 = ktdp.load %18 : !ktdp.access_tile<1x4x64xindex> -> tensor<1x4x64xf32>
      %20 = tensor.collapse_shape %19 [[0, 1], [2]] : tensor<1x4x64xf32> into tensor<4x64xf32>
      %21 = tensor.extract_slice %20[1, 0] [3, 64] [1, 1] : tensor<4x64xf32> to tensor<3x64xf32>
      %22 = tensor.extract_slice %20[0, 0] [1, 64] [1, 1] : tensor<4x64xf32> to tensor<1x64xf32>
      %23 = tensor.concat dim(0) %21, %22 : (tensor<3x64xf32>, tensor<1x64xf32>) -> tensor<4x64xf32>
      %24 = arith.addf %17, %23 : tensor<4x64xf32>
      scf.yield %24 : tensor<4x64xf32>
    }
    %25 = tensor.expand_shape %16#0 [[0, 1], [2]] output_shape [1, 4, 64] : tensor<4x64xf32> into tensor<1x4x64xf32>
    %26 = ktdp.construct_access_tile %4[%1, 0, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 3 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<2x8x64xf32> -> !ktdp.access_tile<1x4x64xindex>
    ktdp.store %25, %26 : tensor<1x4x64xf32>, !ktdp.access_tile<1x4x64xindex>
    %28:1 = scf.for %27 = %5 to %6 step %7 iter_args(%29 = %14) -> (tensor<4x64xf32>) {
      %30 = ktdp.construct_access_tile %3[%1, %27, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 3 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<2x12x64xf32> -> !ktdp.access_tile<1x4x64xindex>
      %31 = ktdp.load %30 : !ktdp.access_tile<1x4x64xindex> -> tensor<1x4x64xf32>
      %32 = tensor.collapse_shape %31 [[0, 1], [2]] : tensor<1x4x64xf32> into tensor<4x64xf32>
      %33 = arith.addf %29, %32 : tensor<4x64xf32>
      scf.yield %33 : tensor<4x64xf32>
    }
    %34 = tensor.expand_shape %28#0 [[0, 1], [2]] output_shape [1, 4, 64] : tensor<4x64xf32> into tensor<1x4x64xf32>
    %35 = ktdp.construct_access_tile %4[%1, 4, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 3 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<2x8x64xf32> -> !ktdp.access_tile<1x4x64xindex>
    ktdp.store %34, %35 : tensor<1x4x64xf32>, !ktdp.access_tile<1x4x64xindex>
    return
  }
}
