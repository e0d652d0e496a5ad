// Rotary embedding by halves: two slices, four products, two inserted slices (Triton style).
module {
  func.func @rope_halves(%x: index, %cos: index, %sin: index, %out: index) attributes {grid = [4]} {
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
    } : memref<16x32xf32>
    %t3 = ktdp.construct_access_tile %cosv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 31 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<16x32xf32> -> !ktdp.access_tile<4x32xindex>
    %d4 = ktdp.load %t3 : <4x32xindex> -> tensor<4x32xf32>
    %sinv = ktdp.construct_memory_view %sin, sizes: [16, 32], strides: [32, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 31 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<16x32xf32>
    %t5 = ktdp.construct_access_tile %sinv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 31 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<16x32xf32> -> !ktdp.access_tile<4x32xindex>
    %d6 = ktdp.load %t5 : <4x32xindex> -> tensor<4x32xf32>
    %v7 = arith.extf %d2 : tensor<4x64xf16> to tensor<4x64xf32>
    %v8 = tensor.extract_slice %v7[0, 0] [4, 32] [1, 1] : tensor<4x64xf32> to tensor<4x32xf32>
    %v9 = tensor.extract_slice %v7[0, 32] [4, 32] [1, 1] : tensor<4x64xf32> to tensor<4x32xf32>
    %v10 = arith.mulf %v8, %d4 : tensor<4x32xf32>
    %v11 = arith.mulf %v9, %d6 : tensor<4x32xf32>
    %v12 = arith.subf %v10, %v11 : tensor<4x32xf32>
    %v13 = arith.mulf %v9, %d4 : tensor<4x32xf32>
    %v14 = arith.mulf %v8, %d6 : tensor<4x32xf32>
    %v15 = arith.addf %v13, %v14 : tensor<4x32xf32>
    %v16 = tensor.empty() : tensor<4x64xf32>
    %v17 = tensor.insert_slice %v12 into %v16[0, 0] [4, 32] [1, 1] : tensor<4x32xf32> into tensor<4x64xf32>
    %v18 = tensor.insert_slice %v15 into %v17[0, 32] [4, 32] [1, 1] : tensor<4x32xf32> into tensor<4x64xf32>
    %v19 = arith.truncf %v18 : tensor<4x64xf32> to tensor<4x64xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [16, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<16x64xf16>
    %t20 = ktdp.construct_access_tile %outv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<16x64xf16> -> !ktdp.access_tile<4x64xindex>
    ktdp.store %v19, %t20 : tensor<4x64xf16>, <4x64xindex>
    return
  }
}
