// Scalars as arguments of four types, used as data.
module {
  func.func @scalar_arguments(%a: f16, %b: f32, %n: i32, %m: index, %x: index, %out: index) attributes {grid = [2]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [8, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<8x64xf32>
    %t1 = ktdp.construct_access_tile %xv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<8x64xf32> -> !ktdp.access_tile<4x64xindex>
    %d2 = ktdp.load %t1 : <4x64xindex> -> tensor<4x64xf32>
    %v3 = arith.extf %a : f16 to f32
    %v4 = arith.sitofp %n : i32 to f32
    %v5 = arith.index_cast %m : index to i32
    %v6 = arith.sitofp %v5 : i32 to f32
    %v7 = tensor.splat %v3 : tensor<4x64xf32>
    %v8 = arith.addf %d2, %v7 : tensor<4x64xf32>
    %v9 = arith.mulf %v8, %v7 : tensor<4x64xf32>
    %v10 = tensor.splat %b : tensor<4x64xf32>
    %v11 = arith.addf %v9, %v10 : tensor<4x64xf32>
    %v12 = arith.mulf %v11, %v10 : tensor<4x64xf32>
    %v13 = tensor.splat %v4 : tensor<4x64xf32>
    %v14 = arith.addf %v12, %v13 : tensor<4x64xf32>
    %v15 = arith.mulf %v14, %v13 : tensor<4x64xf32>
    %v16 = tensor.splat %v6 : tensor<4x64xf32>
    %v17 = arith.addf %v15, %v16 : tensor<4x64xf32>
    %v18 = arith.mulf %v17, %v16 : tensor<4x64xf32>
    %outv = ktdp.construct_memory_view %out, sizes: [8, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<8x64xf32>
    %t19 = ktdp.construct_access_tile %outv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<8x64xf32> -> !ktdp.access_tile<4x64xindex>
    ktdp.store %v18, %t19 : tensor<4x64xf32>, <4x64xindex>
    return
  }
}
