// tensor.reshape that regroups everything: 6x32 becomes 8x24.
module {
  func.func @reshape_regroup(%x: index, %out: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [24, 32], strides: [32, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 23 >= 0, j >= 0, -j + 31 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<24x32xf16>
    %t1 = ktdp.construct_access_tile %xv[%me * 6, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 5 >= 0, j >= 0, -j + 31 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<24x32xf16> -> !ktdp.access_tile<6x32xindex>
    %d2 = ktdp.load %t1 : <6x32xindex> -> tensor<6x32xf16>
    %v3 = arith.constant dense<[8, 24]> : tensor<2xindex>
    %v4 = tensor.reshape %d2(%v3) : (tensor<6x32xf16>, tensor<2xindex>) -> tensor<8x24xf16>
    %v5 = math.absf %v4 : tensor<8x24xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [32, 24], strides: [24, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 31 >= 0, j >= 0, -j + 23 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32x24xf16>
    %t6 = ktdp.construct_access_tile %outv[%me * 8, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 23 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<32x24xf16> -> !ktdp.access_tile<8x24xindex>
    ktdp.store %v5, %t6 : tensor<8x24xf16>, <8x24xindex>
    return
  }
}
