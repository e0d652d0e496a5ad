// Row sums and column sums of one tile: two reductions over different dimensions, two outputs.
module {
  func.func @rows_and_columns(%x: index, %rows: index, %cols: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [64, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 63 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<64x64xf32>
    %t1 = ktdp.construct_access_tile %xv[%me * 16, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<64x64xf32> -> !ktdp.access_tile<16x64xindex>
    %d2 = ktdp.load %t1 : <16x64xindex> -> tensor<16x64xf32>
    %v3 = arith.constant dense<0.0> : tensor<16xf32>
    %v4 = arith.constant dense<0.0> : tensor<64xf32>
    %v5 = linalg.reduce { arith.addf } ins(%d2 : tensor<16x64xf32>) outs(%v3 : tensor<16xf32>) dimensions = [1]
    %v6 = linalg.reduce { arith.addf } ins(%d2 : tensor<16x64xf32>) outs(%v4 : tensor<64xf32>) dimensions = [0]
    %rowsv = ktdp.construct_memory_view %rows, sizes: [64], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<64xf32>
    %t7 = ktdp.construct_access_tile %rowsv[%me * 16] {
      access_tile_set = affine_set<(i) : (i >= 0, -i + 15 >= 0)>,
      access_tile_order = affine_map<(i) -> (i)>
    } : memref<64xf32> -> !ktdp.access_tile<16xindex>
    ktdp.store %v5, %t7 : tensor<16xf32>, <16xindex>
    %colsv = ktdp.construct_memory_view %cols, sizes: [256], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 255 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<256xf32>
    %t8 = ktdp.construct_access_tile %colsv[%me * 64] {
      access_tile_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>,
      access_tile_order = affine_map<(i) -> (i)>
    } : memref<256xf32> -> !ktdp.access_tile<64xindex>
    ktdp.store %v6, %t8 : tensor<64xf32>, <64xindex>
    return
  }
}
