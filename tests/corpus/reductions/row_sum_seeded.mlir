// Row sums that start from 2.5.
module {
  func.func @row_sum_seeded(%x: index, %out: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [16, 96], strides: [96, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 95 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<16x96xf32>
    %outv = ktdp.construct_memory_view %out, sizes: [16], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 15 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<16xf32>
    %xt = ktdp.construct_access_tile %xv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 95 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<16x96xf32> -> !ktdp.access_tile<4x96xindex>
    %xd = ktdp.load %xt : <4x96xindex> -> tensor<4x96xf32>
    %i = arith.constant dense<2.500000e+00> : tensor<4xf32>
    %r = linalg.reduce { arith.addf } ins(%xd : tensor<4x96xf32>) outs(%i : tensor<4xf32>) dimensions = [1]
    %ot = ktdp.construct_access_tile %outv[%me * 4] {
      access_tile_set = affine_set<(i) : (i >= 0, -i + 3 >= 0)>,
      access_tile_order = affine_map<(i) -> (i)>
    } : memref<16xf32> -> !ktdp.access_tile<4xindex>
    ktdp.store %r, %ot : tensor<4xf32>, <4xindex>
    return
  }
}
