// Rank 1, not a multiple of the vector.
module {
  func.func @rank1(%x: index, %y: index, %out: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [4100], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 4099 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<4100xf32>
    %yv = ktdp.construct_memory_view %y, sizes: [4100], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 4099 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<4100xf32>
    %outv = ktdp.construct_memory_view %out, sizes: [4100], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 4099 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<4100xf32>
    %xt = ktdp.construct_access_tile %xv[%me * 1025] {
      access_tile_set = affine_set<(i) : (i >= 0, -i + 1024 >= 0)>,
      access_tile_order = affine_map<(i) -> (i)>
    } : memref<4100xf32> -> !ktdp.access_tile<1025xindex>
    %xd = ktdp.load %xt : <1025xindex> -> tensor<1025xf32>
    %yt = ktdp.construct_access_tile %yv[%me * 1025] {
      access_tile_set = affine_set<(i) : (i >= 0, -i + 1024 >= 0)>,
      access_tile_order = affine_map<(i) -> (i)>
    } : memref<4100xf32> -> !ktdp.access_tile<1025xindex>
    %yd = ktdp.load %yt : <1025xindex> -> tensor<1025xf32>
    %r = arith.divf %xd, %yd : tensor<1025xf32>
    %ot = ktdp.construct_access_tile %outv[%me * 1025] {
      access_tile_set = affine_set<(i) : (i >= 0, -i + 1024 >= 0)>,
      access_tile_order = affine_map<(i) -> (i)>
    } : memref<4100xf32> -> !ktdp.access_tile<1025xindex>
    ktdp.store %r, %ot : tensor<1025xf32>, <1025xindex>
    return
  }
}
