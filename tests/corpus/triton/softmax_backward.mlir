// Gradient of softmax
module {
  func.func @softmax_backward(%y_ptr: index, %dy_ptr: index, %dx_ptr: index) attributes {grid = [12]} {
    %c2 = arith.constant 2 : index
    %zero = arith.constant dense<0.000000e+00> : tensor<2xf32>
    %pid = ktdp.get_compute_tile_id : index
    %r = arith.muli %pid, %c2 : index
    %y = ktdp.construct_memory_view %y_ptr, sizes: [24, 130], strides: [130, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 23 >= 0, d1 >= 0, -d1 + 129 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<24x130xf16>
    %dy = ktdp.construct_memory_view %dy_ptr, sizes: [24, 130], strides: [130, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 23 >= 0, d1 >= 0, -d1 + 129 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<24x130xf16>
    %dx = ktdp.construct_memory_view %dx_ptr, sizes: [24, 130], strides: [130, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 23 >= 0, d1 >= 0, -d1 + 129 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<24x130xf16>
    %at69 = ktdp.construct_access_tile %y[%r, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 129 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<24x130xf16> -> !ktdp.access_tile<2x130xindex>
      %a = ktdp.load %at69 : !ktdp.access_tile<2x130xindex> -> tensor<2x130xf16>
    %at70 = ktdp.construct_access_tile %dy[%r, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 129 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<24x130xf16> -> !ktdp.access_tile<2x130xindex>
      %b = ktdp.load %at70 : !ktdp.access_tile<2x130xindex> -> tensor<2x130xf16>
    %af = arith.extf %a : tensor<2x130xf16> to tensor<2x130xf32>
    %bf = arith.extf %b : tensor<2x130xf16> to tensor<2x130xf32>
    %p = arith.mulf %af, %bf : tensor<2x130xf32>
    %s = linalg.reduce { arith.addf } ins(%p : tensor<2x130xf32>) outs(%zero : tensor<2xf32>) dimensions = [1]
    %be71 = tensor.empty() : tensor<2x130xf32>
      %sb = linalg.broadcast ins(%s : tensor<2xf32>) outs(%be71 : tensor<2x130xf32>) dimensions = [1]
    %d = arith.subf %bf, %sb : tensor<2x130xf32>
    %o = arith.mulf %af, %d : tensor<2x130xf32>
    %h = arith.truncf %o : tensor<2x130xf32> to tensor<2x130xf16>
    %at72 = ktdp.construct_access_tile %dx[%r, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 129 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<24x130xf16> -> !ktdp.access_tile<2x130xindex>
      ktdp.store %h, %at72 : tensor<2x130xf16>, !ktdp.access_tile<2x130xindex>
    return
  }
}
