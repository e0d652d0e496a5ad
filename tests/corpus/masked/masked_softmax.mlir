// Row softmax of a fixed 128 wide tile over a view with a dynamic number of columns (masked load, -inf outside).
module {
  func.func @masked_softmax(%n: !ktdp.runtime_arg<index, upperbound=100>, %x: index, %out: index) attributes {grid = [2]} {
    %me = ktdp.get_compute_tile_id : index
    %v1 = ktdp.runtime_arg_extract value from %n : <index, upperbound=100> -> index
    %xv = ktdp.construct_memory_view %x, sizes: [8, %v1], strides: [100, 1] {
      coordinate_set = affine_set<(i, j)[s0] : (i >= 0, -i + 7 >= 0, j >= 0, -j + s0 - 1 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<8x?xf32>
    %outv = ktdp.construct_memory_view %out, sizes: [8, %v1], strides: [100, 1] {
      coordinate_set = affine_set<(i, j)[s0] : (i >= 0, -i + 7 >= 0, j >= 0, -j + s0 - 1 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<8x?xf32>
    %t2 = ktdp.construct_access_tile %xv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 127 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<8x?xf32> -> !ktdp.access_tile<4x128xindex>
    %d3 = ktdp.load %t2 : <4x128xindex> -> tensor<4x128xf32>
    %c4 = arith.constant 0xFF800000 : f32
    %v5 = tensor.empty() : tensor<4x128xf32>
    %v6 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%d3 : tensor<4x128xf32>) outs(%v5 : tensor<4x128xf32>) {
    ^bb0(%a: f32, %oo: f32):
      %j = linalg.index 1 : index
      %c = arith.cmpi slt, %j, %v1 : index
      %s = arith.select %c, %a, %c4 : f32
      linalg.yield %s : f32
    } -> tensor<4x128xf32>
    %v7 = arith.constant dense<0xFF800000> : tensor<4xf32>
    %v8 = linalg.reduce { arith.maximumf } ins(%v6 : tensor<4x128xf32>) outs(%v7 : tensor<4xf32>) dimensions = [1]
    %v9 = linalg.broadcast ins(%v8 : tensor<4xf32>) outs(%v5 : tensor<4x128xf32>) dimensions = [1]
    %v10 = arith.subf %v6, %v9 : tensor<4x128xf32>
    %v11 = math.exp %v10 : tensor<4x128xf32>
    %v12 = arith.constant dense<0.0> : tensor<4xf32>
    %v13 = linalg.reduce { arith.addf } ins(%v11 : tensor<4x128xf32>) outs(%v12 : tensor<4xf32>) dimensions = [1]
    %v14 = linalg.broadcast ins(%v13 : tensor<4xf32>) outs(%v5 : tensor<4x128xf32>) dimensions = [1]
    %v15 = arith.divf %v11, %v14 : tensor<4x128xf32>
    %t16 = ktdp.construct_access_tile %outv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 127 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<8x?xf32> -> !ktdp.access_tile<4x128xindex>
    ktdp.store %v15, %t16 : tensor<4x128xf32>, <4x128xindex>
    return
  }
}
