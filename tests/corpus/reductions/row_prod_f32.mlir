// Row products in f32, a tail of 8.
module {
  func.func @row_prod_f32(%x: index, %out: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [16, 40], strides: [40, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 39 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<16x40xf32>
    %outv = ktdp.construct_memory_view %out, sizes: [16], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 15 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<16xf32>
    %xt = ktdp.construct_access_tile %xv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 39 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<16x40xf32> -> !ktdp.access_tile<4x40xindex>
    %xd = ktdp.load %xt : <4x40xindex> -> tensor<4x40xf32>
    %i = arith.constant dense<1.000000e+00> : tensor<4xf32>
    %r = linalg.reduce { arith.mulf } ins(%xd : tensor<4x40xf32>) outs(%i : tensor<4xf32>) dimensions = [1]
    %ot = ktdp.construct_access_tile %outv[%me * 4] {
      access_tile_set = affine_set<(i) : (i >= 0, -i + 3 >= 0)>,
      access_tile_order = affine_map<(i) -> (i)>
    } : memref<16xf32> -> !ktdp.access_tile<4xindex>
    ktdp.store %r, %ot : tensor<4xf32>, <4xindex>
    return
  }
}
