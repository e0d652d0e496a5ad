// KV cache write: each tile scatters one new row per sequence into its slot of the cache.
module {
  func.func @cache_write(%cache: index, %slot: index, %page: index, %x: index) attributes {grid = [2]} {
    %me = ktdp.get_compute_tile_id : index
    %cachev = ktdp.construct_memory_view %cache, sizes: [6, 8, 64], strides: [512, 64, 1] {
      coordinate_set = affine_set<(i, j, k) : (i >= 0, -i + 5 >= 0, j >= 0, -j + 7 >= 0, k >= 0, -k + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<6x8x64xf16>
    %slotv = ktdp.construct_memory_view %slot, sizes: [8], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 7 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<8xi32>
    %pagev = ktdp.construct_memory_view %page, sizes: [8], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 7 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<8xi32>
    %c1 = arith.constant 4 : index
    %v2 = arith.muli %me, %c1 : index
    %xv = ktdp.construct_memory_view %x, sizes: [8, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<8x64xf16>
    %t3 = ktdp.construct_access_tile %xv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<8x64xf16> -> !ktdp.access_tile<4x64xindex>
    %d4 = ktdp.load %t3 : <4x64xindex> -> tensor<4x64xf16>
    %t5 = ktdp.construct_indirect_access_tile intermediate_variables(%b, %d) %cachev[ind(%pagev[%v2 + %b]), ind(%slotv[%v2 + %b]), (%d)] {
      variables_space_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>,
      variables_space_order = affine_map<(i, j) -> (i, j)>
    } : memref<6x8x64xf16>, memref<8xi32>, memref<8xi32> -> !ktdp.access_tile<4x64xindex>
    ktdp.store %d4, %t5 : tensor<4x64xf16>, <4x64xindex>
    return
  }
}
