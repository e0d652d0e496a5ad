// Row sums of int32.
module {
  func.func @row_sum_i32(%x: index, %out: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [16, 70], strides: [70, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 69 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<16x70xi32>
    %outv = ktdp.construct_memory_view %out, sizes: [16], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 15 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<16xi32>
    %xt = ktdp.construct_access_tile %xv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 69 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<16x70xi32> -> !ktdp.access_tile<4x70xindex>
    %xd = ktdp.load %xt : <4x70xindex> -> tensor<4x70xi32>
    %i = arith.constant dense<0> : tensor<4xi32>
    %r = linalg.reduce { arith.addi } ins(%xd : tensor<4x70xi32>) outs(%i : tensor<4xi32>) dimensions = [1]
    %ot = ktdp.construct_access_tile %outv[%me * 4] {
      access_tile_set = affine_set<(i) : (i >= 0, -i + 3 >= 0)>,
      access_tile_order = affine_map<(i) -> (i)>
    } : memref<16xi32> -> !ktdp.access_tile<4xindex>
    ktdp.store %r, %ot : tensor<4xi32>, <4xindex>
    return
  }
}
