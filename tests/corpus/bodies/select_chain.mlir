// A chain of comparisons and selects: clamp, leaky slope, masks combined with and, or and xor of i1.
module {
  func.func @select_chain(%x: index, %y: index, %out: index) attributes {grid = [2]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [8, 100], strides: [100, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 99 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<8x100xf16>
    %t1 = ktdp.construct_access_tile %xv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 99 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<8x100xf16> -> !ktdp.access_tile<4x100xindex>
    %d2 = ktdp.load %t1 : <4x100xindex> -> tensor<4x100xf16>
    %yv = ktdp.construct_memory_view %y, sizes: [8, 100], strides: [100, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 99 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<8x100xf16>
    %t3 = ktdp.construct_access_tile %yv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 99 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<8x100xf16> -> !ktdp.access_tile<4x100xindex>
    %d4 = ktdp.load %t3 : <4x100xindex> -> tensor<4x100xf16>
    %v5 = arith.constant dense<0.0> : tensor<4x100xf16>
    %v6 = arith.constant dense<0.1> : tensor<4x100xf16>
    %v7 = arith.cmpf ogt, %d2, %v5 : tensor<4x100xf16>
    %v8 = arith.cmpf ult, %d4, %d2 : tensor<4x100xf16>
    %v9 = arith.andi %v7, %v8 : tensor<4x100xi1>
    %v10 = arith.ori %v7, %v8 : tensor<4x100xi1>
    %v11 = arith.xori %v9, %v10 : tensor<4x100xi1>
    %v12 = arith.mulf %d2, %v6 : tensor<4x100xf16>
    %v13 = arith.select %v7, %d2, %v12 : tensor<4x100xi1>, tensor<4x100xf16>
    %v14 = arith.select %v11, %v13, %d4 : tensor<4x100xi1>, tensor<4x100xf16>
    %v15 = arith.select %v9, %v14, %v5 : tensor<4x100xi1>, tensor<4x100xf16>
    %v16 = arith.addf %v14, %v15 : tensor<4x100xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [8, 100], strides: [100, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 99 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<8x100xf16>
    %t17 = ktdp.construct_access_tile %outv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 99 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<8x100xf16> -> !ktdp.access_tile<4x100xindex>
    ktdp.store %v16, %t17 : tensor<4x100xf16>, <4x100xindex>
    return
  }
}
