// A KV cache is read through a block table: page = table[pos / 8], slot = pos mod 8.
module {
  func.func @paged_cache(%cache: index, %block_table: index, %out: index) attributes {grid = [2, 2]} {
    %p0, %p1 = ktdp.get_compute_tile_id : index, index
    %cachev = ktdp.construct_memory_view %cache, sizes: [12, 8, 64], strides: [512, 64, 1] {
      coordinate_set = affine_set<(i, j, k) : (i >= 0, -i + 11 >= 0, j >= 0, -j + 7 >= 0, k >= 0, -k + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<12x8x64xf16>
    %block_tablev = ktdp.construct_memory_view %block_table, sizes: [2, 4], strides: [4, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 3 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<2x4xi32>
    %c1 = arith.constant 16 : index
    %v2 = arith.muli %p1, %c1 : index
    %t3 = ktdp.construct_indirect_access_tile intermediate_variables(%t, %d) %cachev[ind(%block_tablev[%p0, (%v2 + %t) floordiv 8]), ((%v2 + %t) mod 8), (%d)] {
      variables_space_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 63 >= 0)>,
      variables_space_order = affine_map<(i, j) -> (i, j)>
    } : memref<12x8x64xf16>, memref<2x4xi32> -> !ktdp.access_tile<16x64xindex>
    %d4 = ktdp.load %t3 : <16x64xindex> -> tensor<16x64xf16>
    %v5 = tensor.expand_shape %d4 [[0, 1], [2]] output_shape [1, 16, 64] : tensor<16x64xf16> into tensor<1x16x64xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [2, 32, 64], strides: [2048, 64, 1] {
      coordinate_set = affine_set<(i, j, k) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 31 >= 0, k >= 0, -k + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<2x32x64xf16>
    %t6 = ktdp.construct_access_tile %outv[%p0, %v2, 0] {
      access_tile_set = affine_set<(i, j, k) : (i >= 0, -i + 0 >= 0, j >= 0, -j + 15 >= 0, k >= 0, -k + 63 >= 0)>,
      access_tile_order = affine_map<(i, j, k) -> (i, j, k)>
    } : memref<2x32x64xf16> -> !ktdp.access_tile<1x16x64xindex>
    ktdp.store %v5, %t6 : tensor<1x16x64xf16>, <1x16x64xindex>
    return
  }
}
