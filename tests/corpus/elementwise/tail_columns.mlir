// Rows of 100 elements: one full vector and a masked tail of 36 per row.
module {
  func.func @tail_columns(%x: index, %y: index, %out: index) attributes {grid = [32]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [96, 100], strides: [100, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 95 >= 0, j >= 0, -j + 99 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<96x100xf16>
    %yv = ktdp.construct_memory_view %y, sizes: [96, 100], strides: [100, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 95 >= 0, j >= 0, -j + 99 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<96x100xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [96, 100], strides: [100, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 95 >= 0, j >= 0, -j + 99 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<96x100xf16>
    %xt = ktdp.construct_access_tile %xv[%me * 3, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 2 >= 0, j >= 0, -j + 99 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<96x100xf16> -> !ktdp.access_tile<3x100xindex>
    %xd = ktdp.load %xt : <3x100xindex> -> tensor<3x100xf16>
    %yt = ktdp.construct_access_tile %yv[%me * 3, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 2 >= 0, j >= 0, -j + 99 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<96x100xf16> -> !ktdp.access_tile<3x100xindex>
    %yd = ktdp.load %yt : <3x100xindex> -> tensor<3x100xf16>
    %r = arith.addf %xd, %yd : tensor<3x100xf16>
    %ot = ktdp.construct_access_tile %outv[%me * 3, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 2 >= 0, j >= 0, -j + 99 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<96x100xf16> -> !ktdp.access_tile<3x100xindex>
    ktdp.store %r, %ot : tensor<3x100xf16>, <3x100xindex>
    return
  }
}
