// Rows of a table at positions of a dynamic number, which the last tile overhangs: rows without a position are zero, and
// a sum of each tile counts them as zero.
module {
  func.func @positions_tail(%table: index, %pos: index, %out: index, %sums: index) attributes {grid = [3]} {
    %me = ktdp.get_compute_tile_id : index
    %n = arith.constant 10 : index
    %c4 = arith.constant 4 : index
    %first = arith.muli %me, %c4 : index
    %tv = ktdp.construct_memory_view %table, sizes: [40, 24], strides: [24, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 39 >= 0, j >= 0, -j + 23 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<40x24xf32>
    %pv = ktdp.construct_memory_view %pos, sizes: [%n], strides: [1] {
      coordinate_set = affine_set<(i)[s0] : (i >= 0, -i + s0 - 1 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<?xi64>
    %ov = ktdp.construct_memory_view %out, sizes: [12, 24], strides: [24, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 11 >= 0, j >= 0, -j + 23 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<12x24xf32>
    %sv = ktdp.construct_memory_view %sums, sizes: [3, 24], strides: [24, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 2 >= 0, j >= 0, -j + 23 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<3x24xf32>
    %rows = ktdp.construct_indirect_access_tile intermediate_variables(%i, %j) %tv[ind(%pv[%first + %i]), (%j)] {
      variables_space_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 23 >= 0)>,
      variables_space_order = affine_map<(i, j) -> (i, j)>
    } : memref<40x24xf32>, memref<?xi64> -> !ktdp.access_tile<4x24xindex>
    %x = ktdp.load %rows : <4x24xindex> -> tensor<4x24xf32>
    %y = arith.addf %x, %x : tensor<4x24xf32>
    %ot = ktdp.construct_access_tile %ov[%first, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 23 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<12x24xf32> -> !ktdp.access_tile<4x24xindex>
    ktdp.store %y, %ot : tensor<4x24xf32>, <4x24xindex>
    %zero = arith.constant dense<0.0> : tensor<24xf32>
    %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x24xf32>) outs(%zero : tensor<24xf32>) dimensions = [0]
    %row = tensor.expand_shape %sum [[0, 1]] output_shape [1, 24] : tensor<24xf32> into tensor<1x24xf32>
    %st = ktdp.construct_access_tile %sv[%me, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i >= 0, j >= 0, -j + 23 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<3x24xf32> -> !ktdp.access_tile<1x24xindex>
    ktdp.store %row, %st : tensor<1x24xf32>, <1x24xindex>
    return
  }
}
