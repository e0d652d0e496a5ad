// spyreop intrinsics on f16.
module {
  func.func @spyreop_f16(%x: index, %out: index) attributes {grid = [2]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [4, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<4x64xf16>
    %t1 = ktdp.construct_access_tile %xv[%me * 2, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<4x64xf16> -> !ktdp.access_tile<2x64xindex>
    %d2 = ktdp.load %t1 : <2x64xindex> -> tensor<2x64xf16>
    %v3 = tensor.empty() : tensor<2x64xf16>
    %v4 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%d2 : tensor<2x64xf16>) outs(%v3 : tensor<2x64xf16>) {
    ^bb0(%a: f16, %o: f16):
      %sg = spyreop.sigmoid %a : f16
      %sq = spyreop.exp %sg : f16
      %u0 = spyreop.exp %a : f16
      %s0 = arith.addf %a, %u0 : f16
      %u1 = spyreop.gelu %a : f16
      %s1 = arith.addf %s0, %u1 : f16
      %u2 = spyreop.sigmoid %a : f16
      %s2 = arith.addf %s1, %u2 : f16
      %u3 = spyreop.silu %a : f16
      %s3 = arith.addf %s2, %u3 : f16
      %u4 = spyreop.sqrt %sq : f16
      %s4 = arith.addf %s3, %u4 : f16
      %u5 = spyreop.rsqrt %sq : f16
      %s5 = arith.addf %s4, %u5 : f16
      %u6 = spyreop.reciprocal %sq : f16
      %s6 = arith.addf %s5, %u6 : f16
      %u7 = spyreop.softplus %a beta 1.0 threshold 20.0 : f16
      %s7 = arith.addf %s6, %u7 : f16
      %c = spyreop.compare <greaterthan> %a, %sq : f16
      %w = spyreop.select %c, %a, %s7 : f16
      linalg.yield %w : f16
    } -> tensor<2x64xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [4, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<4x64xf16>
    %t5 = ktdp.construct_access_tile %outv[%me * 2, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<4x64xf16> -> !ktdp.access_tile<2x64xindex>
    ktdp.store %v4, %t5 : tensor<2x64xf16>, <2x64xindex>
    return
  }
}
