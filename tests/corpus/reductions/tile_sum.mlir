// The sum of a whole tile.
module {
  func.func @tile_sum(%x: index, %out: index) attributes {grid = [8]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [64, 96], strides: [96, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 63 >= 0, j >= 0, -j + 95 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<64x96xf32>
    %outv = ktdp.construct_memory_view %out, sizes: [8], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 7 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<8xf32>
    %xt = ktdp.construct_access_tile %xv[%me * 8, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 95 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<64x96xf32> -> !ktdp.access_tile<8x96xindex>
    %xd = ktdp.load %xt : <8x96xindex> -> tensor<8x96xf32>
    %i = arith.constant dense<0.000000e+00> : tensor<f32>
    %s = linalg.reduce { arith.addf } ins(%xd : tensor<8x96xf32>) outs(%i : tensor<f32>) dimensions = [0, 1]
    %r = tensor.expand_shape %s [] output_shape [1] : tensor<f32> into tensor<1xf32>
    %ot = ktdp.construct_access_tile %outv[%me] {
      access_tile_set = affine_set<(i) : (i == 0)>,
      access_tile_order = affine_map<(i) -> (i)>
    } : memref<8xf32> -> !ktdp.access_tile<1xindex>
    ktdp.store %r, %ot : tensor<1xf32>, <1xindex>
    return
  }
}
