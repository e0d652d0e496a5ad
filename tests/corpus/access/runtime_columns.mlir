// The number of columns is a scalar argument, any number up to 500: the vector extent is known only at launch.
module {
  func.func @runtime_columns(%n: !ktdp.runtime_arg<index, upperbound=500>, %x: index, %out: index) attributes {grid = [2]} {
    %me = ktdp.get_compute_tile_id : index
    %v1 = ktdp.runtime_arg_extract value from %n : <index, upperbound=500> -> index
    %xv = ktdp.construct_memory_view %x, sizes: [8, %v1], strides: [512, 1] {
      coordinate_set = affine_set<(i, j)[s0] : (i >= 0, -i + 7 >= 0, j >= 0, -j + s0 - 1 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<8x?xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [8, %v1], strides: [512, 1] {
      coordinate_set = affine_set<(i, j)[s0] : (i >= 0, -i + 7 >= 0, j >= 0, -j + s0 - 1 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<8x?xf16>
    %t2 = ktdp.construct_access_tile %xv[%me * 4, 0] symbols(%v1) {
      access_tile_set = affine_set<(i, j)[s0] : (i >= 0, -i + 3 >= 0, j >= 0, -j + s0 - 1 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<8x?xf16> -> !ktdp.access_tile<4x?xindex>
    %d3 = ktdp.load %t2 : <4x?xindex> -> tensor<4x?xf16>
    %v4 = math.exp %d3 : tensor<4x?xf16>
    %t5 = ktdp.construct_access_tile %outv[%me * 4, 0] symbols(%v1) {
      access_tile_set = affine_set<(i, j)[s0] : (i >= 0, -i + 3 >= 0, j >= 0, -j + s0 - 1 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<8x?xf16> -> !ktdp.access_tile<4x?xindex>
    ktdp.store %v4, %t5 : tensor<4x?xf16>, <4x?xindex>
    return
  }
}
