module {
  func.func @both_sums(%x_ptr: index, %r_ptr: index, %c_ptr: index) attributes {grid = [2]} {
    %c16 = arith.constant 16 : index
    %pid = ktdp.get_compute_tile_id : index
    %r = arith.muli %pid, %c16 : index
    %z = arith.constant dense<0.0> : tensor<16xf32>
    %z2 = arith.constant dense<0.0> : tensor<70xf32>
    %x = ktdp.construct_memory_view %x_ptr, sizes: [32, 70], strides: [70, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 69 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<32x70xf32>
    %rv = ktdp.construct_memory_view %r_ptr, sizes: [32], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 31 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<32xf32>
    %cv = ktdp.construct_memory_view %c_ptr, sizes: [2, 70], strides: [70, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 69 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x70xf32>
    %at30 = ktdp.construct_access_tile %x[%r, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 69 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<32x70xf32> -> !ktdp.access_tile<16x70xindex>
      %a = ktdp.load %at30 : !ktdp.access_tile<16x70xindex> -> tensor<16x70xf32>
    %s = linalg.reduce { arith.addf } ins(%a : tensor<16x70xf32>) outs(%z : tensor<16xf32>) dimensions = [1]
    %t = linalg.reduce { arith.addf } ins(%a : tensor<16x70xf32>) outs(%z2 : tensor<70xf32>) dimensions = [0]
    %t1 = tensor.expand_shape %t [[0, 1]] output_shape [1, 70] : tensor<70xf32> into tensor<1x70xf32>
    %at31 = ktdp.construct_access_tile %rv[%r] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 15 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<32xf32> -> !ktdp.access_tile<16xindex>
      ktdp.store %s, %at31 : tensor<16xf32>, !ktdp.access_tile<16xindex>
    %at32 = ktdp.construct_access_tile %cv[%pid, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 69 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<2x70xf32> -> !ktdp.access_tile<1x70xindex>
      ktdp.store %t1, %at32 : tensor<1x70xf32>, !ktdp.access_tile<1x70xindex>
    return
  }
}
