// spyreop intrinsics on f32.
module {
  func.func @spyreop_f32(%x: index, %out: index) attributes {grid = [2]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [4, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<4x64xf32>
    %t1 = ktdp.construct_access_tile %xv[%me * 2, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<4x64xf32> -> !ktdp.access_tile<2x64xindex>
    %d2 = ktdp.load %t1 : <2x64xindex> -> tensor<2x64xf32>
    %v3 = tensor.empty() : tensor<2x64xf32>
    %v4 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%d2 : tensor<2x64xf32>) outs(%v3 : tensor<2x64xf32>) {
    ^bb0(%a: f32, %o: f32):
      %sg = spyreop.sigmoid %a : f32
      %sq = spyreop.exp %sg : f32
      %u0 = spyreop.exp %a : f32
      %s0 = arith.addf %a, %u0 : f32
      %u1 = spyreop.sigmoid %a : f32
      %s1 = arith.addf %s0, %u1 : f32
      %u2 = spyreop.silu %a : f32
      %s2 = arith.addf %s1, %u2 : f32
      %u3 = spyreop.sqrt %sq : f32
      %s3 = arith.addf %s2, %u3 : f32
      %u4 = spyreop.rsqrt %sq : f32
      %s4 = arith.addf %s3, %u4 : f32
      %u5 = spyreop.reciprocal %sq : f32
      %s5 = arith.addf %s4, %u5 : f32
      %c = spyreop.compare <greaterthan> %a, %sq : f32
      %w = spyreop.select %c, %a, %s5 : f32
      linalg.yield %w : f32
    } -> tensor<2x64xf32>
    %outv = ktdp.construct_memory_view %out, sizes: [4, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<4x64xf32>
    %t5 = ktdp.construct_access_tile %outv[%me * 2, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<4x64xf32> -> !ktdp.access_tile<2x64xindex>
    ktdp.store %v4, %t5 : tensor<2x64xf32>, <2x64xindex>
    return
  }
}
