// Rotary embedding of neighbouring pairs: strided slices in, strided slices out.
module {
  func.func @rope_pairs(%x: index, %cos: index, %sin: index, %out: index) attributes {grid = [4]} {
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
    %cosv = ktdp.construct_memory_view %cos, sizes: [16, 32], strides: [32, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 31 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<16x32xf16>
    %t3 = ktdp.construct_access_tile %cosv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 31 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<16x32xf16> -> !ktdp.access_tile<4x32xindex>
    %d4 = ktdp.load %t3 : <4x32xindex> -> tensor<4x32xf16>
    %sinv = ktdp.construct_memory_view %sin, sizes: [16, 32], strides: [32, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 31 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<16x32xf16>
    %t5 = ktdp.construct_access_tile %sinv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 31 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<16x32xf16> -> !ktdp.access_tile<4x32xindex>
    %d6 = ktdp.load %t5 : <4x32xindex> -> tensor<4x32xf16>
    %v7 = tensor.extract_slice %d2[0, 0] [4, 32] [1, 2] : tensor<4x64xf16> to tensor<4x32xf16>
    %v8 = tensor.extract_slice %d2[0, 1] [4, 32] [1, 2] : tensor<4x64xf16> to tensor<4x32xf16>
    %v9 = arith.mulf %v7, %d4 : tensor<4x32xf16>
    %v10 = arith.mulf %v8, %d6 : tensor<4x32xf16>
    %v11 = arith.subf %v9, %v10 : tensor<4x32xf16>
    %v12 = arith.mulf %v8, %d4 : tensor<4x32xf16>
    %v13 = arith.mulf %v7, %d6 : tensor<4x32xf16>
    %v14 = arith.addf %v12, %v13 : tensor<4x32xf16>
    %v15 = tensor.empty() : tensor<4x64xf16>
    %v16 = tensor.insert_slice %v11 into %v15[0, 0] [4, 32] [1, 2] : tensor<4x32xf16> into tensor<4x64xf16>
    %v17 = tensor.insert_slice %v14 into %v16[0, 1] [4, 32] [1, 2] : tensor<4x32xf16> into tensor<4x64xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [16, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<16x64xf16>
    %t18 = ktdp.construct_access_tile %outv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<16x64xf16> -> !ktdp.access_tile<4x64xindex>
    ktdp.store %v17, %t18 : tensor<4x64xf16>, <4x64xindex>
    return
  }
}
