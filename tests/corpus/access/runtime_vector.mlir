// A one-dimensional vector whose length is a scalar argument; 256 elements a tile, the last is cut.
module {
  func.func @runtime_vector(%n: !ktdp.runtime_arg<index, upperbound=1000>, %x: index, %out: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %v1 = ktdp.runtime_arg_extract value from %n : <index, upperbound=1000> -> index
    %c2 = arith.constant 256 : index
    %v3 = arith.muli %me, %c2 : index
    %xv = ktdp.construct_memory_view %x, sizes: [%v1], strides: [1] {
      coordinate_set = affine_set<(i)[s0] : (i >= 0, -i + s0 - 1 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<?xf32>
    %outv = ktdp.construct_memory_view %out, sizes: [%v1], strides: [1] {
      coordinate_set = affine_set<(i)[s0] : (i >= 0, -i + s0 - 1 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<?xf32>
    %t4 = ktdp.construct_access_tile %xv[%v3] {
      access_tile_set = affine_set<(i) : (i >= 0, -i + 255 >= 0)>,
      access_tile_order = affine_map<(i) -> (i)>
    } : memref<?xf32> -> !ktdp.access_tile<256xindex>
    %d5 = ktdp.load %t4 : <256xindex> -> tensor<256xf32>
    %v6 = arith.addf %d5, %d5 : tensor<256xf32>
    %t7 = ktdp.construct_access_tile %outv[%v3] {
      access_tile_set = affine_set<(i) : (i >= 0, -i + 255 >= 0)>,
      access_tile_order = affine_map<(i) -> (i)>
    } : memref<?xf32> -> !ktdp.access_tile<256xindex>
    ktdp.store %v6, %t7 : tensor<256xf32>, <256xindex>
    return
  }
}
