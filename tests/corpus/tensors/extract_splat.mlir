// One element of a loaded tensor scales the others: tensor.extract and tensor.splat.
module {
  func.func @extract_splat(%x: index, %out: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [16, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<16x64xf16>
    %t1 = ktdp.construct_access_tile %xv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<16x64xf16> -> !ktdp.access_tile<4x64xindex>
    %d2 = ktdp.load %t1 : <4x64xindex> -> tensor<4x64xf16>
    %c3 = arith.constant 0 : index
    %c4 = arith.constant 3 : index
    %v5 = tensor.extract %d2[%c3, %c4] : tensor<4x64xf16>
    %v6 = tensor.splat %v5 : tensor<4x64xf16>
    %v7 = arith.mulf %d2, %v6 : tensor<4x64xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [16, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<16x64xf16>
    %t8 = ktdp.construct_access_tile %outv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<16x64xf16> -> !ktdp.access_tile<4x64xindex>
    ktdp.store %v7, %t8 : tensor<4x64xf16>, <4x64xindex>
    return
  }
}
