// linalg.transpose of a 64x64 tile.
module {
  func.func @transpose_tile(%x: index, %out: index) attributes {grid = [2]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [128, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 127 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<128x64xf16>
    %t1 = ktdp.construct_access_tile %xv[%me * 64, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 63 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<128x64xf16> -> !ktdp.access_tile<64x64xindex>
    %d2 = ktdp.load %t1 : <64x64xindex> -> tensor<64x64xf16>
    %v3 = tensor.empty() : tensor<64x64xf16>
    %v4 = linalg.transpose ins(%d2 : tensor<64x64xf16>) outs(%v3 : tensor<64x64xf16>) permutation = [1, 0]
    %outv = ktdp.construct_memory_view %out, sizes: [128, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 127 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<128x64xf16>
    %t5 = ktdp.construct_access_tile %outv[%me * 64, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 63 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<128x64xf16> -> !ktdp.access_tile<64x64xindex>
    ktdp.store %v4, %t5 : tensor<64x64xf16>, <64x64xindex>
    return
  }
}
