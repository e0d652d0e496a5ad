// Column sums of 4096x1024 f32.
module {
  func.func @column_sum_4096x1024(%x: index, %out: index) attributes {grid = [32]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [4096, 1024], strides: [1024, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 4095 >= 0, j >= 0, -j + 1023 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<4096x1024xf32>
    %outv = ktdp.construct_memory_view %out, sizes: [1024], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 1023 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<1024xf32>
    %xt = ktdp.construct_access_tile %xv[0, %me * 32] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 4095 >= 0, j >= 0, -j + 31 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<4096x1024xf32> -> !ktdp.access_tile<4096x32xindex>
    %xd = ktdp.load %xt : <4096x32xindex> -> tensor<4096x32xf32>
    %i = arith.constant dense<0.000000e+00> : tensor<32xf32>
    %r = linalg.reduce { arith.addf } ins(%xd : tensor<4096x32xf32>) outs(%i : tensor<32xf32>) dimensions = [0]
    %ot = ktdp.construct_access_tile %outv[%me * 32] {
      access_tile_set = affine_set<(i) : (i >= 0, -i + 31 >= 0)>,
      access_tile_order = affine_map<(i) -> (i)>
    } : memref<1024xf32> -> !ktdp.access_tile<32xindex>
    ktdp.store %r, %ot : tensor<32xf32>, <32xindex>
    return
  }
}
