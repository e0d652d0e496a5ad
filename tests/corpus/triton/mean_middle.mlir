// Mean over the sequence
module {
  func.func @mean_middle(%x_ptr: index, %y_ptr: index) attributes {grid = [4]} {
    %z = arith.constant dense<0.000000e+00> : tensor<1x96xf32>
    %n = arith.constant dense<7.000000e+00> : tensor<1x96xf32>
    %pid = ktdp.get_compute_tile_id : index
    %x = ktdp.construct_memory_view %x_ptr, sizes: [4, 7, 96], strides: [672, 96, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 6 >= 0, d2 >= 0, -d2 + 95 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x7x96xf16>
    %y = ktdp.construct_memory_view %y_ptr, sizes: [4, 96], strides: [96, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 95 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x96xf16>
    %at85 = ktdp.construct_access_tile %x[%pid, 0, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 6 >= 0, d2 >= 0, -d2 + 95 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<4x7x96xf16> -> !ktdp.access_tile<1x7x96xindex>
      %v = ktdp.load %at85 : !ktdp.access_tile<1x7x96xindex> -> tensor<1x7x96xf16>
    %f = arith.extf %v : tensor<1x7x96xf16> to tensor<1x7x96xf32>
    %s = linalg.reduce { arith.addf } ins(%f : tensor<1x7x96xf32>) outs(%z : tensor<1x96xf32>) dimensions = [1]
    %m = arith.divf %s, %n : tensor<1x96xf32>
    %h = arith.truncf %m : tensor<1x96xf32> to tensor<1x96xf16>
    %at86 = ktdp.construct_access_tile %y[%pid, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 95 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<4x96xf16> -> !ktdp.access_tile<1x96xindex>
      ktdp.store %h, %at86 : tensor<1x96xf16>, !ktdp.access_tile<1x96xindex>
    return
  }
}
