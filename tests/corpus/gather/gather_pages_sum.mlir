// A page of the cache is gathered whole (three-dimensional rows) and its rows are summed.
module {
  func.func @gather_pages_sum(%cache: index, %pages: index, %out: index) attributes {grid = [2]} {
    %me = ktdp.get_compute_tile_id : index
    %cachev = ktdp.construct_memory_view %cache, sizes: [10, 8, 64], strides: [512, 64, 1] {
      coordinate_set = affine_set<(i, j, k) : (i >= 0, -i + 9 >= 0, j >= 0, -j + 7 >= 0, k >= 0, -k + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<10x8x64xf32>
    %pagesv = ktdp.construct_memory_view %pages, sizes: [8], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 7 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<8xi32>
    %c1 = arith.constant 4 : index
    %v2 = arith.muli %me, %c1 : index
    %t3 = ktdp.construct_indirect_access_tile intermediate_variables(%p, %s, %d) %cachev[ind(%pagesv[%v2 + %p]), (%s), (%d)] {
      variables_space_set = affine_set<(i, j, k) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 7 >= 0, k >= 0, -k + 63 >= 0)>,
      variables_space_order = affine_map<(i, j, k) -> (i, j, k)>
    } : memref<10x8x64xf32>, memref<8xi32> -> !ktdp.access_tile<4x8x64xindex>
    %d4 = ktdp.load %t3 : <4x8x64xindex> -> tensor<4x8x64xf32>
    %v5 = arith.constant dense<0.0> : tensor<4x64xf32>
    %v6 = linalg.reduce { arith.addf } ins(%d4 : tensor<4x8x64xf32>) outs(%v5 : tensor<4x64xf32>) dimensions = [1]
    %outv = ktdp.construct_memory_view %out, sizes: [8, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<8x64xf32>
    %t7 = ktdp.construct_access_tile %outv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<8x64xf32> -> !ktdp.access_tile<4x64xindex>
    ktdp.store %v6, %t7 : tensor<4x64xf32>, <4x64xindex>
    return
  }
}
