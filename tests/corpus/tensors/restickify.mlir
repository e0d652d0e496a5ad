// Rows are read as sticks: reshape 4x128 to 4x2x64, transpose to 2x4x64 (the stick layout).
module {
  func.func @restickify(%x: index, %out: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [16, 128], strides: [128, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 127 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<16x128xf16>
    %t1 = ktdp.construct_access_tile %xv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 127 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<16x128xf16> -> !ktdp.access_tile<4x128xindex>
    %d2 = ktdp.load %t1 : <4x128xindex> -> tensor<4x128xf16>
    %v3 = arith.constant dense<[4, 2, 64]> : tensor<3xindex>
    %v4 = tensor.reshape %d2(%v3) : (tensor<4x128xf16>, tensor<3xindex>) -> tensor<4x2x64xf16>
    %v5 = tensor.empty() : tensor<2x4x64xf16>
    %v6 = linalg.transpose ins(%v4 : tensor<4x2x64xf16>) outs(%v5 : tensor<2x4x64xf16>) permutation = [1, 0, 2]
    %outv = ktdp.construct_memory_view %out, sizes: [2, 16, 64], strides: [1024, 64, 1] {
      coordinate_set = affine_set<(i, j, k) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 15 >= 0, k >= 0, -k + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<2x16x64xf16>
    %t7 = ktdp.construct_access_tile %outv[0, %me * 4, 0] {
      access_tile_set = affine_set<(i, j, k) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 3 >= 0, k >= 0, -k + 63 >= 0)>,
      access_tile_order = affine_map<(i, j, k) -> (i, j, k)>
    } : memref<2x16x64xf16> -> !ktdp.access_tile<2x4x64xindex>
    ktdp.store %v6, %t7 : tensor<2x4x64xf16>, <2x4x64xindex>
    return
  }
}
