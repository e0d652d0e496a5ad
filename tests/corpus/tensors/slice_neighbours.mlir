// A difference of neighbours: two overlapping slices of one loaded row.
module {
  func.func @slice_neighbours(%x: index, %out: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [16, 129], strides: [129, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 128 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<16x129xf32>
    %t1 = ktdp.construct_access_tile %xv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 128 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<16x129xf32> -> !ktdp.access_tile<4x129xindex>
    %d2 = ktdp.load %t1 : <4x129xindex> -> tensor<4x129xf32>
    %v3 = tensor.extract_slice %d2[0, 1] [4, 128] [1, 1] : tensor<4x129xf32> to tensor<4x128xf32>
    %v4 = tensor.extract_slice %d2[0, 0] [4, 128] [1, 1] : tensor<4x129xf32> to tensor<4x128xf32>
    %v5 = arith.subf %v3, %v4 : tensor<4x128xf32>
    %outv = ktdp.construct_memory_view %out, sizes: [16, 128], strides: [128, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 127 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<16x128xf32>
    %t6 = ktdp.construct_access_tile %outv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 127 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<16x128xf32> -> !ktdp.access_tile<4x128xindex>
    ktdp.store %v5, %t6 : tensor<4x128xf32>, <4x128xindex>
    return
  }
}
