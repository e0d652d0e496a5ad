// Binary and ternary functions of the math dialect: powf, atan2, fma, copysign.
module {
  func.func @math_binary(%x: index, %y: index, %out: index) attributes {grid = [2]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [4, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<4x64xf32>
    %t1 = ktdp.construct_access_tile %xv[%me * 2, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<4x64xf32> -> !ktdp.access_tile<2x64xindex>
    %d2 = ktdp.load %t1 : <2x64xindex> -> tensor<2x64xf32>
    %yv = ktdp.construct_memory_view %y, sizes: [4, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<4x64xf32>
    %t3 = ktdp.construct_access_tile %yv[%me * 2, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<4x64xf32> -> !ktdp.access_tile<2x64xindex>
    %d4 = ktdp.load %t3 : <2x64xindex> -> tensor<2x64xf32>
    %v5 = math.absf %d2 : tensor<2x64xf32>
    %v6 = math.powf %v5, %d4 : tensor<2x64xf32>
    %v7 = math.atan2 %d2, %d4 : tensor<2x64xf32>
    %v8 = math.fma %v6, %v7, %d2 : tensor<2x64xf32>
    %v9 = math.copysign %v8, %d4 : tensor<2x64xf32>
    %outv = ktdp.construct_memory_view %out, sizes: [4, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<4x64xf32>
    %t10 = ktdp.construct_access_tile %outv[%me * 2, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<4x64xf32> -> !ktdp.access_tile<2x64xindex>
    ktdp.store %v9, %t10 : tensor<2x64xf32>, <2x64xindex>
    return
  }
}
