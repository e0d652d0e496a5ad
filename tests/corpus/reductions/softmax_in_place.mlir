// A row program that overwrites its input piece by piece in the scratchpad
module {
  func.func @softmax_in_place(%x: index, %y: index) attributes {grid = [2]} {
    %cst_0 = arith.constant 0 : index
    %cst_1 = arith.constant 3 : index
    %cst_2 = arith.constant dense<0xFF800000> : tensor<3xf32>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<3xf32>
    %1 = ktdp.get_compute_tile_id : index
    %2 = ktdp.construct_memory_view %x, sizes: [6, 200], strides: [200, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 5 >= 0, d1 >= 0, -d1 + 199 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<6x200xf32>
    %3 = ktdp.construct_memory_view %y, sizes: [6, 200], strides: [200, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 5 >= 0, d1 >= 0, -d1 + 199 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<6x200xf32>
    %4 = ktdp.construct_memory_view %cst_0, sizes: [3, 200], strides: [200, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 199 >= 0)>, memory_space = #ktdp.spyre_memory_space<LX>} : memref<3x200xf32>
    %5 = arith.muli %1, %cst_1 : index
    %6 = ktdp.construct_access_tile %2[%5, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 199 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<6x200xf32> -> !ktdp.access_tile<3x200xindex>
    %7 = ktdp.load %6 : !ktdp.access_tile<3x200xindex> -> tensor<3x200xf32>
    %8 = ktdp.construct_access_tile %4[0, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 199 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<3x200xf32> -> !ktdp.access_tile<3x200xindex>
    ktdp.store %7, %8 : tensor<3x200xf32>, !ktdp.access_tile<3x200xindex>
    %9 = ktdp.construct_access_tile %4[0, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 199 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<3x200xf32> -> !ktdp.access_tile<3x200xindex>
    %10 = ktdp.load %9 : !ktdp.access_tile<3x200xindex> -> tensor<3x200xf32>
    %11 = linalg.reduce { arith.maximumf } ins(%10 : tensor<3x200xf32>) outs(%cst_2 : tensor<3xf32>) dimensions = [1]
    %12 = tensor.empty() : tensor<3x200xf32>
    %13 = linalg.broadcast ins(%11 : tensor<3xf32>) outs(%12 : tensor<3x200xf32>) dimensions = [1]
    %14 = arith.subf %10, %13 : tensor<3x200xf32>
    %15 = math.exp %14 : tensor<3x200xf32>
    %16 = ktdp.construct_access_tile %4[0, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 199 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<3x200xf32> -> !ktdp.access_tile<3x200xindex>
    ktdp.store %15, %16 : tensor<3x200xf32>, !ktdp.access_tile<3x200xindex>
    %17 = ktdp.construct_access_tile %4[0, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 199 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<3x200xf32> -> !ktdp.access_tile<3x200xindex>
    %18 = ktdp.load %17 : !ktdp.access_tile<3x200xindex> -> tensor<3x200xf32>
    %19 = linalg.reduce { arith.addf } ins(%18 : tensor<3x200xf32>) outs(%cst_3 : tensor<3xf32>) dimensions = [1]
    %20 = tensor.empty() : tensor<3x200xf32>
    %21 = linalg.broadcast ins(%19 : tensor<3xf32>) outs(%20 : tensor<3x200xf32>) dimensions = [1]
    %22 = arith.divf %18, %21 : tensor<3x200xf32>
    %23 = ktdp.construct_access_tile %4[0, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 199 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<3x200xf32> -> !ktdp.access_tile<3x200xindex>
    ktdp.store %22, %23 : tensor<3x200xf32>, !ktdp.access_tile<3x200xindex>
    %24 = ktdp.construct_access_tile %4[0, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 199 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<3x200xf32> -> !ktdp.access_tile<3x200xindex>
    %25 = ktdp.load %24 : !ktdp.access_tile<3x200xindex> -> tensor<3x200xf32>
    %26 = ktdp.construct_access_tile %3[%5, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 199 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<6x200xf32> -> !ktdp.access_tile<3x200xindex>
    ktdp.store %25, %26 : tensor<3x200xf32>, !ktdp.access_tile<3x200xindex>
    return
  }
}
