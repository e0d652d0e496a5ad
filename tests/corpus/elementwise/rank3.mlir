// Rank 3 in stick layout: columns of 64 elements, permuted strides.
module {
  func.func @rank3(%x: index, %y: index, %out: index) attributes {grid = [8]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [32, 4, 64], strides: [64, 2048, 1] {
      coordinate_set = affine_set<(i, j, k) : (i >= 0, -i + 31 >= 0, j >= 0, -j + 3 >= 0, k >= 0, -k + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32x4x64xf16>
    %yv = ktdp.construct_memory_view %y, sizes: [32, 4, 64], strides: [64, 2048, 1] {
      coordinate_set = affine_set<(i, j, k) : (i >= 0, -i + 31 >= 0, j >= 0, -j + 3 >= 0, k >= 0, -k + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32x4x64xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [32, 4, 64], strides: [64, 2048, 1] {
      coordinate_set = affine_set<(i, j, k) : (i >= 0, -i + 31 >= 0, j >= 0, -j + 3 >= 0, k >= 0, -k + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32x4x64xf16>
    %xt = ktdp.construct_access_tile %xv[%me * 4, 0, 0] {
      access_tile_set = affine_set<(i, j, k) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 3 >= 0, k >= 0, -k + 63 >= 0)>,
      access_tile_order = affine_map<(i, j, k) -> (i, j, k)>
    } : memref<32x4x64xf16> -> !ktdp.access_tile<4x4x64xindex>
    %xd = ktdp.load %xt : <4x4x64xindex> -> tensor<4x4x64xf16>
    %yt = ktdp.construct_access_tile %yv[%me * 4, 0, 0] {
      access_tile_set = affine_set<(i, j, k) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 3 >= 0, k >= 0, -k + 63 >= 0)>,
      access_tile_order = affine_map<(i, j, k) -> (i, j, k)>
    } : memref<32x4x64xf16> -> !ktdp.access_tile<4x4x64xindex>
    %yd = ktdp.load %yt : <4x4x64xindex> -> tensor<4x4x64xf16>
    %r = arith.mulf %xd, %yd : tensor<4x4x64xf16>
    %ot = ktdp.construct_access_tile %outv[%me * 4, 0, 0] {
      access_tile_set = affine_set<(i, j, k) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 3 >= 0, k >= 0, -k + 63 >= 0)>,
      access_tile_order = affine_map<(i, j, k) -> (i, j, k)>
    } : memref<32x4x64xf16> -> !ktdp.access_tile<4x4x64xindex>
    ktdp.store %r, %ot : tensor<4x4x64xf16>, <4x4x64xindex>
    return
  }
}
