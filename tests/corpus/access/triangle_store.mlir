// Lower triangle only is stored; the rest of the output keeps its contents.
module {
  func.func @triangle_store(%x: index, %out: index) attributes {grid = [2]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [32, 16], strides: [16, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 31 >= 0, j >= 0, -j + 15 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32x16xf32>
    %t1 = ktdp.construct_access_tile %xv[%me * 16, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 15 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<32x16xf32> -> !ktdp.access_tile<16x16xindex>
    %d2 = ktdp.load %t1 : <16x16xindex> -> tensor<16x16xf32>
    %v3 = math.exp %d2 : tensor<16x16xf32>
    %outv = ktdp.construct_memory_view %out, sizes: [32, 16], strides: [16, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 31 >= 0, j >= 0, -j + 15 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32x16xf32>
    %t4 = ktdp.construct_access_tile %outv[%me * 16, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, i - j >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<32x16xf32> -> !ktdp.access_tile<16x16xindex>
    ktdp.store %v3, %t4 : tensor<16x16xf32>, <16x16xindex>
    return
  }
}
