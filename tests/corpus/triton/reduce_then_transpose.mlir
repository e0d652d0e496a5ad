module {
  func.func @reduce_then_transpose(%x_ptr: index, %y_ptr: index) attributes {grid = [2]} {
    %c4 = arith.constant 4 : index
    %pid = ktdp.get_compute_tile_id : index
    %r = arith.muli %pid, %c4 : index
    %z = arith.constant dense<0.0> : tensor<4x6xf32>
    %x = ktdp.construct_memory_view %x_ptr, sizes: [8, 6, 33], strides: [198, 33, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 5 >= 0, d2 >= 0, -d2 + 32 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<8x6x33xf32>
    %y = ktdp.construct_memory_view %y_ptr, sizes: [6, 8], strides: [8, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 5 >= 0, d1 >= 0, -d1 + 7 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<6x8xf32>
    %at63 = ktdp.construct_access_tile %x[%r, 0, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 5 >= 0, d2 >= 0, -d2 + 32 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<8x6x33xf32> -> !ktdp.access_tile<4x6x33xindex>
      %a = ktdp.load %at63 : !ktdp.access_tile<4x6x33xindex> -> tensor<4x6x33xf32>
    %s = linalg.reduce { arith.addf } ins(%a : tensor<4x6x33xf32>) outs(%z : tensor<4x6xf32>) dimensions = [2]
    %em = tensor.empty() : tensor<6x4xf32>
    %t = linalg.transpose ins(%s : tensor<4x6xf32>) outs(%em : tensor<6x4xf32>) permutation = [1, 0]
    %at64 = ktdp.construct_access_tile %y[0, %r] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 5 >= 0, d1 >= 0, -d1 + 3 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<6x8xf32> -> !ktdp.access_tile<6x4xindex>
      ktdp.store %t, %at64 : tensor<6x4xf32>, !ktdp.access_tile<6x4xindex>
    return
  }
}
