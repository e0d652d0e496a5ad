// Normalised over the whole tile: the mean of row means (a reduction of a reduction) is subtracted.
module {
  func.func @reduce_of_reduce(%x: index, %out: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [32, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 31 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32x64xf32>
    %t1 = ktdp.construct_access_tile %xv[%me * 8, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<32x64xf32> -> !ktdp.access_tile<8x64xindex>
    %d2 = ktdp.load %t1 : <8x64xindex> -> tensor<8x64xf32>
    %v3 = arith.constant dense<0.0> : tensor<8xf32>
    %v4 = arith.constant dense<0.0> : tensor<f32>
    %v5 = linalg.reduce { arith.addf } ins(%d2 : tensor<8x64xf32>) outs(%v3 : tensor<8xf32>) dimensions = [1]
    %v6 = linalg.reduce { arith.addf } ins(%v5 : tensor<8xf32>) outs(%v4 : tensor<f32>) dimensions = [0]
    %v7 = arith.constant dense<512.0> : tensor<f32>
    %v8 = arith.divf %v6, %v7 : tensor<f32>
    %v9 = tensor.empty() : tensor<8x64xf32>
    %v10 = linalg.broadcast ins(%v8 : tensor<f32>) outs(%v9 : tensor<8x64xf32>) dimensions = [0, 1]
    %v11 = arith.subf %d2, %v10 : tensor<8x64xf32>
    %outv = ktdp.construct_memory_view %out, sizes: [32, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 31 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32x64xf32>
    %t12 = ktdp.construct_access_tile %outv[%me * 8, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<32x64xf32> -> !ktdp.access_tile<8x64xindex>
    ktdp.store %v11, %t12 : tensor<8x64xf32>, <8x64xindex>
    return
  }
}
