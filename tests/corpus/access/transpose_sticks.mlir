// A transpose that keeps whole sticks: [a, b, 64] to [b, a, 64].
module {
  func.func @transpose_sticks(%x: index, %out: index) attributes {grid = [2]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [2, 8, 16, 64], strides: [8192, 1024, 64, 1] {
      coordinate_set = affine_set<(i, j, k, l) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 7 >= 0, k >= 0, -k + 15 >= 0, l >= 0, -l + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<2x8x16x64xf16>
    %t1 = ktdp.construct_access_tile %xv[%me, 0, 0, 0] {
      access_tile_set = affine_set<(i, j, k, l) : (i >= 0, -i + 0 >= 0, j >= 0, -j + 7 >= 0, k >= 0, -k + 15 >= 0, l >= 0, -l + 63 >= 0)>,
      access_tile_order = affine_map<(i, j, k, l) -> (i, j, k, l)>
    } : memref<2x8x16x64xf16> -> !ktdp.access_tile<1x8x16x64xindex>
    %d2 = ktdp.load %t1 : <1x8x16x64xindex> -> tensor<1x8x16x64xf16>
    %v3 = tensor.empty() : tensor<1x16x8x64xf16>
    %v4 = linalg.transpose ins(%d2 : tensor<1x8x16x64xf16>) outs(%v3 : tensor<1x16x8x64xf16>) permutation = [0, 2, 1, 3]
    %outv = ktdp.construct_memory_view %out, sizes: [2, 16, 8, 64], strides: [8192, 512, 64, 1] {
      coordinate_set = affine_set<(i, j, k, l) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 15 >= 0, k >= 0, -k + 7 >= 0, l >= 0, -l + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<2x16x8x64xf16>
    %t5 = ktdp.construct_access_tile %outv[%me, 0, 0, 0] {
      access_tile_set = affine_set<(i, j, k, l) : (i >= 0, -i + 0 >= 0, j >= 0, -j + 15 >= 0, k >= 0, -k + 7 >= 0, l >= 0, -l + 63 >= 0)>,
      access_tile_order = affine_map<(i, j, k, l) -> (i, j, k, l)>
    } : memref<2x16x8x64xf16> -> !ktdp.access_tile<1x16x8x64xindex>
    ktdp.store %v4, %t5 : tensor<1x16x8x64xf16>, <1x16x8x64xindex>
    return
  }
}
