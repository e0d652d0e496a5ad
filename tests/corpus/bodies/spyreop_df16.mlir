// spyreop intrinsics on df16.
module {
  func.func @spyreop_df16(%x: index, %out: index) attributes {grid = [2]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [4, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<4x64x!spyreop.df16>
    %t1 = ktdp.construct_access_tile %xv[%me * 2, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<4x64x!spyreop.df16> -> !ktdp.access_tile<2x64xindex>
    %d2 = ktdp.load %t1 : <2x64xindex> -> tensor<2x64x!spyreop.df16>
    %v3 = tensor.empty() : tensor<2x64x!spyreop.df16>
    %v4 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%d2 : tensor<2x64x!spyreop.df16>) outs(%v3 : tensor<2x64x!spyreop.df16>) {
    ^bb0(%a: !spyreop.df16, %o: !spyreop.df16):
      %sg = spyreop.sigmoid %a : !spyreop.df16
      %sq = spyreop.exp %sg : !spyreop.df16
      %u0 = spyreop.exp %a : !spyreop.df16
      %s0 = spyreop.realdiv %u0, %a : !spyreop.df16
      %u1 = spyreop.gelu %a : !spyreop.df16
      %s1 = spyreop.realdiv %u1, %s0 : !spyreop.df16
      %u2 = spyreop.sigmoid %a : !spyreop.df16
      %s2 = spyreop.realdiv %u2, %s1 : !spyreop.df16
      %u3 = spyreop.silu %a : !spyreop.df16
      %s3 = spyreop.realdiv %u3, %s2 : !spyreop.df16
      %u4 = spyreop.sqrt %sq : !spyreop.df16
      %s4 = spyreop.realdiv %u4, %s3 : !spyreop.df16
      %u5 = spyreop.rsqrt %sq : !spyreop.df16
      %s5 = spyreop.realdiv %u5, %s4 : !spyreop.df16
      %u6 = spyreop.reciprocal %sq : !spyreop.df16
      %s6 = spyreop.realdiv %u6, %s5 : !spyreop.df16
      %u7 = spyreop.softplus %a beta 1.0 threshold 20.0 : !spyreop.df16
      %s7 = spyreop.realdiv %u7, %s6 : !spyreop.df16
      %c = spyreop.compare <greaterthan> %a, %sq : !spyreop.df16
      %w = spyreop.select %c, %a, %s7 : !spyreop.df16
      linalg.yield %w : !spyreop.df16
    } -> tensor<2x64x!spyreop.df16>
    %outv = ktdp.construct_memory_view %out, sizes: [4, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<4x64x!spyreop.df16>
    %t5 = ktdp.construct_access_tile %outv[%me * 2, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<4x64x!spyreop.df16> -> !ktdp.access_tile<2x64xindex>
    ktdp.store %v4, %t5 : tensor<2x64x!spyreop.df16>, <2x64xindex>
    return
  }
}
