// Casts in a chain: i8 to i32 to f32 to f16 and back, with a bitcast.
module {
  func.func @cast_chain(%x: index, %out: index) attributes {grid = [2]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [8, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<8x64xi8>
    %t1 = ktdp.construct_access_tile %xv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<8x64xi8> -> !ktdp.access_tile<4x64xindex>
    %d2 = ktdp.load %t1 : <4x64xindex> -> tensor<4x64xi8>
    %v3 = arith.extsi %d2 : tensor<4x64xi8> to tensor<4x64xi32>
    %v4 = arith.sitofp %v3 : tensor<4x64xi32> to tensor<4x64xf32>
    %v5 = arith.truncf %v4 : tensor<4x64xf32> to tensor<4x64xf16>
    %v6 = arith.addf %v5, %v5 : tensor<4x64xf16>
    %v7 = arith.bitcast %v6 : tensor<4x64xf16> to tensor<4x64xi16>
    %v8 = arith.extui %v7 : tensor<4x64xi16> to tensor<4x64xi32>
    %v9 = arith.fptosi %v6 : tensor<4x64xf16> to tensor<4x64xi32>
    %v10 = arith.addi %v8, %v9 : tensor<4x64xi32>
    %outv = ktdp.construct_memory_view %out, sizes: [8, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<8x64xi32>
    %t11 = ktdp.construct_access_tile %outv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<8x64xi32> -> !ktdp.access_tile<4x64xindex>
    ktdp.store %v10, %t11 : tensor<4x64xi32>, <4x64xindex>
    return
  }
}
