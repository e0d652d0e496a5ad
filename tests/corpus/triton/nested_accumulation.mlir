module {
  func.func @nested_accumulation(%x_ptr: index, %y_ptr: index) attributes {grid = [4]} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c3 = arith.constant 3 : i32
    %c4 = arith.constant 4 : i32
    %c32 = arith.constant 32 : i32
    %z = arith.constant dense<0.0> : tensor<1x32xf32>
    %pid = ktdp.get_compute_tile_id : index
    %x = ktdp.construct_memory_view %x_ptr, sizes: [4, 3, 128], strides: [384, 128, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 2 >= 0, d2 >= 0, -d2 + 127 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x3x128xf16>
    %y = ktdp.construct_memory_view %y_ptr, sizes: [4, 32], strides: [32, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 31 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x32xf32>
    %acc = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %z) -> (tensor<1x32xf32>) : i32 {
    %ii = arith.index_cast %i : i32 to index
    %in = scf.for %j = %c0 to %c4 step %c1 iter_args(%b = %a) -> (tensor<1x32xf32>) : i32 {
    %jm = arith.muli %j, %c32 : i32
    %ji = arith.index_cast %jm : i32 to index
    %at43 = ktdp.construct_access_tile %x[%pid, %ii, %ji] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 0 >= 0, d2 >= 0, -d2 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<4x3x128xf16> -> !ktdp.access_tile<1x1x32xindex>
      %v = ktdp.load %at43 : !ktdp.access_tile<1x1x32xindex> -> tensor<1x1x32xf16>
    %vc = tensor.collapse_shape %v [[0, 1], [2]] : tensor<1x1x32xf16> into tensor<1x32xf16>
    %vf = arith.extf %vc : tensor<1x32xf16> to tensor<1x32xf32>
    %n = arith.addf %b, %vf : tensor<1x32xf32>
    scf.yield %n : tensor<1x32xf32>
    }
    scf.yield %in : tensor<1x32xf32>
    }
    %at44 = ktdp.construct_access_tile %y[%pid, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<4x32xf32> -> !ktdp.access_tile<1x32xindex>
      ktdp.store %acc, %at44 : tensor<1x32xf32>, !ktdp.access_tile<1x32xindex>
    return
  }
}
