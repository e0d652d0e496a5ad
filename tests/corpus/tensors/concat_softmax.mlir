// Softmax over the concatenation of two score blocks (parts under reductions).
module {
  func.func @concat_softmax(%x: index, %y: index, %out: index) attributes {grid = [2]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [8, 32], strides: [32, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 31 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<8x32xf32>
    %t1 = ktdp.construct_access_tile %xv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 31 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<8x32xf32> -> !ktdp.access_tile<4x32xindex>
    %d2 = ktdp.load %t1 : <4x32xindex> -> tensor<4x32xf32>
    %yv = ktdp.construct_memory_view %y, sizes: [8, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<8x64xf32>
    %t3 = ktdp.construct_access_tile %yv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<8x64xf32> -> !ktdp.access_tile<4x64xindex>
    %d4 = ktdp.load %t3 : <4x64xindex> -> tensor<4x64xf32>
    %v5 = tensor.concat dim(1) %d2, %d4 : (tensor<4x32xf32>, tensor<4x64xf32>) -> tensor<4x96xf32>
    %v6 = tensor.empty() : tensor<4x96xf32>
    %v7 = arith.constant dense<0xFF800000> : tensor<4xf32>
    %v8 = linalg.reduce { arith.maximumf } ins(%v5 : tensor<4x96xf32>) outs(%v7 : tensor<4xf32>) dimensions = [1]
    %v9 = linalg.broadcast ins(%v8 : tensor<4xf32>) outs(%v6 : tensor<4x96xf32>) dimensions = [1]
    %v10 = arith.subf %v5, %v9 : tensor<4x96xf32>
    %v11 = math.exp %v10 : tensor<4x96xf32>
    %v12 = arith.constant dense<0.0> : tensor<4xf32>
    %v13 = linalg.reduce { arith.addf } ins(%v11 : tensor<4x96xf32>) outs(%v12 : tensor<4xf32>) dimensions = [1]
    %v14 = linalg.broadcast ins(%v13 : tensor<4xf32>) outs(%v6 : tensor<4x96xf32>) dimensions = [1]
    %v15 = arith.divf %v11, %v14 : tensor<4x96xf32>
    %outv = ktdp.construct_memory_view %out, sizes: [8, 96], strides: [96, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 95 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<8x96xf32>
    %t16 = ktdp.construct_access_tile %outv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 95 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<8x96xf32> -> !ktdp.access_tile<4x96xindex>
    ktdp.store %v15, %t16 : tensor<4x96xf32>, <4x96xindex>
    return
  }
}
