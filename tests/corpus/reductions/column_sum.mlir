// Column sums: the vector dimension is kept, rows are folded one by one.
module {
  func.func @column_sum(%x: index, %out: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [96, 256], strides: [256, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 95 >= 0, j >= 0, -j + 255 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<96x256xf32>
    %outv = ktdp.construct_memory_view %out, sizes: [256], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 255 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<256xf32>
    %xt = ktdp.construct_access_tile %xv[0, %me * 64] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 95 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<96x256xf32> -> !ktdp.access_tile<96x64xindex>
    %xd = ktdp.load %xt : <96x64xindex> -> tensor<96x64xf32>
    %i = arith.constant dense<0.000000e+00> : tensor<64xf32>
    %r = linalg.reduce { arith.addf } ins(%xd : tensor<96x64xf32>) outs(%i : tensor<64xf32>) dimensions = [0]
    %ot = ktdp.construct_access_tile %outv[%me * 64] {
      access_tile_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>,
      access_tile_order = affine_map<(i) -> (i)>
    } : memref<256xf32> -> !ktdp.access_tile<64xindex>
    ktdp.store %r, %ot : tensor<64xf32>, <64xindex>
    return
  }
}
