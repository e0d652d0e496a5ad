// Row dot products with the offset carried from iteration to iteration
module {
  func.func @dot_rows_carried_offset(%x_ptr: index, %v_ptr: index, %y_ptr: index) attributes {grid = [4]} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c5 = arith.constant 5 : i32
    %c40 = arith.constant 40 : i32
    %c4 = arith.constant 4 : index
    %z = arith.constant dense<0.000000e+00> : tensor<4xf32>
    %pid = ktdp.get_compute_tile_id : index
    %r = arith.muli %pid, %c4 : index
    %x = ktdp.construct_memory_view %x_ptr, sizes: [16, 200], strides: [200, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 199 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<16x200xf16>
    %v = ktdp.construct_memory_view %v_ptr, sizes: [200], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 199 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<200xf16>
    %y = ktdp.construct_memory_view %y_ptr, sizes: [16], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 15 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<16xf32>
    %acc:2 = scf.for %k = %c0 to %c5 step %c1 iter_args(%a = %z, %off = %c0) -> (tensor<4xf32>, i32) : i32 {
    %oi = arith.index_cast %off : i32 to index
    %at118 = ktdp.construct_access_tile %x[%r, %oi] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 39 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<16x200xf16> -> !ktdp.access_tile<4x40xindex>
      %xb = ktdp.load %at118 : !ktdp.access_tile<4x40xindex> -> tensor<4x40xf16>
    %at119 = ktdp.construct_access_tile %v[%oi] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 39 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<200xf16> -> !ktdp.access_tile<40xindex>
      %vb = ktdp.load %at119 : !ktdp.access_tile<40xindex> -> tensor<40xf16>
    %xf = arith.extf %xb : tensor<4x40xf16> to tensor<4x40xf32>
    %vf = arith.extf %vb : tensor<40xf16> to tensor<40xf32>
    %be120 = tensor.empty() : tensor<4x40xf32>
      %vv = linalg.broadcast ins(%vf : tensor<40xf32>) outs(%be120 : tensor<4x40xf32>) dimensions = [0]
    %p = arith.mulf %xf, %vv : tensor<4x40xf32>
    %s = linalg.reduce { arith.addf } ins(%p : tensor<4x40xf32>) outs(%z : tensor<4xf32>) dimensions = [1]
    %n = arith.addf %a, %s : tensor<4xf32>
    %no = arith.addi %off, %c40 : i32
    scf.yield %n, %no : tensor<4xf32>, i32
    }
    %at121 = ktdp.construct_access_tile %y[%r] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<16xf32> -> !ktdp.access_tile<4xindex>
      ktdp.store %acc#0, %at121 : tensor<4xf32>, !ktdp.access_tile<4xindex>
    return
  }
}
