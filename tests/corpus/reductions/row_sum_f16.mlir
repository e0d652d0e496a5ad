// Row sums in f16: accumulated in f32, rounded once.
module {
  func.func @row_sum_f16(%x: index, %out: index) attributes {grid = [8]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [64, 320], strides: [320, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 63 >= 0, j >= 0, -j + 319 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<64x320xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [64], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<64xf16>
    %xt = ktdp.construct_access_tile %xv[%me * 8, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 319 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<64x320xf16> -> !ktdp.access_tile<8x320xindex>
    %xd = ktdp.load %xt : <8x320xindex> -> tensor<8x320xf16>
    %i = arith.constant dense<0.000000e+00> : tensor<8xf16>
    %r = linalg.reduce { arith.addf } ins(%xd : tensor<8x320xf16>) outs(%i : tensor<8xf16>) dimensions = [1]
    %ot = ktdp.construct_access_tile %outv[%me * 8] {
      access_tile_set = affine_set<(i) : (i >= 0, -i + 7 >= 0)>,
      access_tile_order = affine_map<(i) -> (i)>
    } : memref<64xf16> -> !ktdp.access_tile<8xindex>
    ktdp.store %r, %ot : tensor<8xf16>, <8xindex>
    return
  }
}
