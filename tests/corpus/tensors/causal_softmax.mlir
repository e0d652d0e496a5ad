// Softmax under a causal mask made from linalg.index inside a generic.
module {
  func.func @causal_softmax(%x: index, %out: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [64, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 63 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<64x64xf32>
    %t1 = ktdp.construct_access_tile %xv[%me * 16, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<64x64xf32> -> !ktdp.access_tile<16x64xindex>
    %d2 = ktdp.load %t1 : <16x64xindex> -> tensor<16x64xf32>
    %c3 = arith.constant 16 : index
    %c4 = arith.constant 0xFF800000 : f32
    %v5 = arith.muli %me, %c3 : index
    %v6 = tensor.empty() : tensor<16x64xf32>
    %v7 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%d2 : tensor<16x64xf32>) outs(%v6 : tensor<16x64xf32>) {
    ^bb0(%a: f32, %o: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %row = arith.addi %v5, %i : index
      %c = arith.cmpi ule, %j, %row : index
      %s = arith.select %c, %a, %c4 : f32
      linalg.yield %s : f32
    } -> tensor<16x64xf32>
    %v8 = arith.constant dense<0xFF800000> : tensor<16xf32>
    %v9 = linalg.reduce { arith.maximumf } ins(%v7 : tensor<16x64xf32>) outs(%v8 : tensor<16xf32>) dimensions = [1]
    %v10 = linalg.broadcast ins(%v9 : tensor<16xf32>) outs(%v6 : tensor<16x64xf32>) dimensions = [1]
    %v11 = arith.subf %v7, %v10 : tensor<16x64xf32>
    %v12 = math.exp %v11 : tensor<16x64xf32>
    %v13 = arith.constant dense<0.0> : tensor<16xf32>
    %v14 = linalg.reduce { arith.addf } ins(%v12 : tensor<16x64xf32>) outs(%v13 : tensor<16xf32>) dimensions = [1]
    %v15 = linalg.broadcast ins(%v14 : tensor<16xf32>) outs(%v6 : tensor<16x64xf32>) dimensions = [1]
    %v16 = arith.divf %v12, %v15 : tensor<16x64xf32>
    %outv = ktdp.construct_memory_view %out, sizes: [64, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 63 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<64x64xf32>
    %t17 = ktdp.construct_access_tile %outv[%me * 16, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<64x64xf32> -> !ktdp.access_tile<16x64xindex>
    ktdp.store %v16, %t17 : tensor<16x64xf32>, <16x64xindex>
    return
  }
}
