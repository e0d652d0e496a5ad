// Embedding, then RMS norm of the gathered rows with a weight.
module {
  func.func @embedding_rmsnorm(%table: index, %ids: index, %w: index, %out: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %tablev = ktdp.construct_memory_view %table, sizes: [40, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 39 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<40x64xf32>
    %idsv = ktdp.construct_memory_view %ids, sizes: [32], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 31 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32xi32>
    %c1 = arith.constant 8 : index
    %v2 = arith.muli %me, %c1 : index
    %t3 = ktdp.construct_indirect_access_tile intermediate_variables(%r, %c) %tablev[ind(%idsv[%v2 + %r]), (%c)] {
      variables_space_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      variables_space_order = affine_map<(i, j) -> (i, j)>
    } : memref<40x64xf32>, memref<32xi32> -> !ktdp.access_tile<8x64xindex>
    %d4 = ktdp.load %t3 : <8x64xindex> -> tensor<8x64xf32>
    %v5 = arith.mulf %d4, %d4 : tensor<8x64xf32>
    %v6 = arith.constant dense<0.0> : tensor<8xf32>
    %v7 = linalg.reduce { arith.addf } ins(%v5 : tensor<8x64xf32>) outs(%v6 : tensor<8xf32>) dimensions = [1]
    %v8 = arith.constant dense<64.0> : tensor<8xf32>
    %v9 = arith.divf %v7, %v8 : tensor<8xf32>
    %v10 = math.rsqrt %v9 : tensor<8xf32>
    %v11 = tensor.empty() : tensor<8x64xf32>
    %v12 = linalg.broadcast ins(%v10 : tensor<8xf32>) outs(%v11 : tensor<8x64xf32>) dimensions = [1]
    %v13 = arith.mulf %d4, %v12 : tensor<8x64xf32>
    %wv = ktdp.construct_memory_view %w, sizes: [64], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<64xf32>
    %t14 = ktdp.construct_access_tile %wv[0] {
      access_tile_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>,
      access_tile_order = affine_map<(i) -> (i)>
    } : memref<64xf32> -> !ktdp.access_tile<64xindex>
    %d15 = ktdp.load %t14 : <64xindex> -> tensor<64xf32>
    %v16 = linalg.broadcast ins(%d15 : tensor<64xf32>) outs(%v11 : tensor<8x64xf32>) dimensions = [0]
    %v17 = arith.mulf %v13, %v16 : tensor<8x64xf32>
    %outv = ktdp.construct_memory_view %out, sizes: [32, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 31 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32x64xf32>
    %t18 = ktdp.construct_access_tile %outv[%me * 8, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<32x64xf32> -> !ktdp.access_tile<8x64xindex>
    ktdp.store %v17, %t18 : tensor<8x64xf32>, <8x64xindex>
    return
  }
}
