// bf16 data: x * y + x.
module {
  func.func @mul_add_bf16(%x: index, %y: index, %out: index) attributes {grid = [32]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [64, 96], strides: [96, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 63 >= 0, j >= 0, -j + 95 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<64x96xbf16>
    %yv = ktdp.construct_memory_view %y, sizes: [64, 96], strides: [96, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 63 >= 0, j >= 0, -j + 95 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<64x96xbf16>
    %outv = ktdp.construct_memory_view %out, sizes: [64, 96], strides: [96, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 63 >= 0, j >= 0, -j + 95 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<64x96xbf16>
    %xt = ktdp.construct_access_tile %xv[%me * 2, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 95 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<64x96xbf16> -> !ktdp.access_tile<2x96xindex>
    %xd = ktdp.load %xt : <2x96xindex> -> tensor<2x96xbf16>
    %yt = ktdp.construct_access_tile %yv[%me * 2, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 95 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<64x96xbf16> -> !ktdp.access_tile<2x96xindex>
    %yd = ktdp.load %yt : <2x96xindex> -> tensor<2x96xbf16>
    %p = arith.mulf %xd, %yd : tensor<2x96xbf16>
    %r = arith.addf %p, %xd : tensor<2x96xbf16>
    %ot = ktdp.construct_access_tile %outv[%me * 2, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 95 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<64x96xbf16> -> !ktdp.access_tile<2x96xindex>
    ktdp.store %r, %ot : tensor<2x96xbf16>, <2x96xindex>
    return
  }
}
