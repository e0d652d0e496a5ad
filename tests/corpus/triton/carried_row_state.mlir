// A recurrence over time steps: state carried, every state stored
module {
  func.func @carried_row_state(%x_ptr: index, %y_ptr: index) attributes {grid = [4]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    %h = arith.constant dense<5.000000e-01> : tensor<1x70xf32>
    %z = arith.constant dense<0.000000e+00> : tensor<1x70xf32>
    %pid = ktdp.get_compute_tile_id : index
    %x = ktdp.construct_memory_view %x_ptr, sizes: [4, 6, 70], strides: [420, 70, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 5 >= 0, d2 >= 0, -d2 + 69 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x6x70xf32>
    %y = ktdp.construct_memory_view %y_ptr, sizes: [4, 6, 70], strides: [420, 70, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 5 >= 0, d2 >= 0, -d2 + 69 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x6x70xf32>
    %fin = scf.for %t = %c0 to %c6 step %c1 iter_args(%s = %z) -> (tensor<1x70xf32>) {
    %at126 = ktdp.construct_access_tile %x[%pid, %t, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 0 >= 0, d2 >= 0, -d2 + 69 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<4x6x70xf32> -> !ktdp.access_tile<1x1x70xindex>
      %v3 = ktdp.load %at126 : !ktdp.access_tile<1x1x70xindex> -> tensor<1x1x70xf32>
    %v = tensor.collapse_shape %v3 [[0, 1], [2]] : tensor<1x1x70xf32> into tensor<1x70xf32>
    %d = arith.mulf %s, %h : tensor<1x70xf32>
    %n = arith.addf %d, %v : tensor<1x70xf32>
    %n3 = tensor.expand_shape %n [[0, 1], [2]] output_shape [1, 1, 70] : tensor<1x70xf32> into tensor<1x1x70xf32>
    %at127 = ktdp.construct_access_tile %y[%pid, %t, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 0 >= 0, d2 >= 0, -d2 + 69 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<4x6x70xf32> -> !ktdp.access_tile<1x1x70xindex>
      ktdp.store %n3, %at127 : tensor<1x1x70xf32>, !ktdp.access_tile<1x1x70xindex>
    scf.yield %n : tensor<1x70xf32>
    }
    return
  }
}
