// Elements of type index decide over narrower ones: a vector holds as many as there are of the widest.
#all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 255 >= 0)>
#same = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @index_elements(%x: index, %y: index) attributes {grid = [1]} {
    %c0 = arith.constant 0 : index
    %xv = ktdp.construct_memory_view %x, sizes: [4, 256], strides: [256, 1] {coordinate_set = #all, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x256xindex>
    %yv = ktdp.construct_memory_view %y, sizes: [4, 256], strides: [256, 1] {coordinate_set = #all, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x256xf16>
    %a = arith.constant dense<3.000000e+00> : tensor<4x256xf16>
    %b = arith.constant dense<5.000000e+00> : tensor<4x256xf16>
    %z = arith.constant dense<2> : tensor<4x256xindex>
    %xt = ktdp.construct_access_tile %xv[%c0, %c0] {access_tile_set = #all, access_tile_order = #same} : memref<4x256xindex> -> !ktdp.access_tile<4x256xindex>
    %v = ktdp.load %xt : !ktdp.access_tile<4x256xindex> -> tensor<4x256xindex>
    %m = arith.cmpi slt, %v, %z : tensor<4x256xindex>
    %r = arith.select %m, %a, %b : tensor<4x256xi1>, tensor<4x256xf16>
    %yt = ktdp.construct_access_tile %yv[%c0, %c0] {access_tile_set = #all, access_tile_order = #same} : memref<4x256xf16> -> !ktdp.access_tile<4x256xindex>
    ktdp.store %r, %yt : tensor<4x256xf16>, !ktdp.access_tile<4x256xindex>
    return
  }
}
