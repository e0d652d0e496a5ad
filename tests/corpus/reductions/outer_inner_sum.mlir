// Sum over the first and last of three dimensions (multi-dim reduction).
module {
  func.func @outer_inner_sum(%x: index, %out: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [16, 6, 32], strides: [192, 32, 1] {
      coordinate_set = affine_set<(i, j, k) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 5 >= 0, k >= 0, -k + 31 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<16x6x32xf32>
    %t1 = ktdp.construct_access_tile %xv[%me * 4, 0, 0] {
      access_tile_set = affine_set<(i, j, k) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 5 >= 0, k >= 0, -k + 31 >= 0)>,
      access_tile_order = affine_map<(i, j, k) -> (i, j, k)>
    } : memref<16x6x32xf32> -> !ktdp.access_tile<4x6x32xindex>
    %d2 = ktdp.load %t1 : <4x6x32xindex> -> tensor<4x6x32xf32>
    %v3 = arith.constant dense<0.0> : tensor<6xf32>
    %v4 = linalg.reduce { arith.addf } ins(%d2 : tensor<4x6x32xf32>) outs(%v3 : tensor<6xf32>) dimensions = [0, 2]
    %outv = ktdp.construct_memory_view %out, sizes: [24], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 23 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<24xf32>
    %t5 = ktdp.construct_access_tile %outv[%me * 6] {
      access_tile_set = affine_set<(i) : (i >= 0, -i + 5 >= 0)>,
      access_tile_order = affine_map<(i) -> (i)>
    } : memref<24xf32> -> !ktdp.access_tile<6xindex>
    ktdp.store %v4, %t5 : tensor<6xf32>, <6xindex>
    return
  }
}
