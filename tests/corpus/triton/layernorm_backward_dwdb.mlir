// Partial gradients of a layer norm's weight and bias, two tensors carried over rows
module {
  func.func @layernorm_backward_dwdb(%dy_ptr: index, %xh_ptr: index, %dw_ptr: index, %db_ptr: index) attributes {grid = [4]} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c6 = arith.constant 6 : i32
    %c6x = arith.constant 6 : index
    %zero = arith.constant dense<0.000000e+00> : tensor<1x160xf32>
    %pid = ktdp.get_compute_tile_id : index
    %base = arith.muli %pid, %c6x : index
    %dy = ktdp.construct_memory_view %dy_ptr, sizes: [24, 160], strides: [160, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 23 >= 0, d1 >= 0, -d1 + 159 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<24x160xf16>
    %xh = ktdp.construct_memory_view %xh_ptr, sizes: [24, 160], strides: [160, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 23 >= 0, d1 >= 0, -d1 + 159 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<24x160xf16>
    %dw = ktdp.construct_memory_view %dw_ptr, sizes: [4, 160], strides: [160, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 159 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x160xf32>
    %db = ktdp.construct_memory_view %db_ptr, sizes: [4, 160], strides: [160, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 159 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x160xf32>
    %acc:2 = scf.for %k = %c0 to %c6 step %c1 iter_args(%aw = %zero, %ab = %zero) -> (tensor<1x160xf32>, tensor<1x160xf32>) : i32 {
    %ki = arith.index_cast %k : i32 to index
    %row = arith.addi %base, %ki : index
    %at73 = ktdp.construct_access_tile %dy[%row, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 159 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<24x160xf16> -> !ktdp.access_tile<1x160xindex>
      %a = ktdp.load %at73 : !ktdp.access_tile<1x160xindex> -> tensor<1x160xf16>
    %at74 = ktdp.construct_access_tile %xh[%row, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 159 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<24x160xf16> -> !ktdp.access_tile<1x160xindex>
      %b = ktdp.load %at74 : !ktdp.access_tile<1x160xindex> -> tensor<1x160xf16>
    %af = arith.extf %a : tensor<1x160xf16> to tensor<1x160xf32>
    %bf = arith.extf %b : tensor<1x160xf16> to tensor<1x160xf32>
    %p = arith.mulf %af, %bf : tensor<1x160xf32>
    %nw = arith.addf %aw, %p : tensor<1x160xf32>
    %nb = arith.addf %ab, %af : tensor<1x160xf32>
    scf.yield %nw, %nb : tensor<1x160xf32>, tensor<1x160xf32>
    }
    %at75 = ktdp.construct_access_tile %dw[%pid, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 159 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<4x160xf32> -> !ktdp.access_tile<1x160xindex>
      ktdp.store %acc#0, %at75 : tensor<1x160xf32>, !ktdp.access_tile<1x160xindex>
    %at76 = ktdp.construct_access_tile %db[%pid, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 159 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<4x160xf32> -> !ktdp.access_tile<1x160xindex>
      ktdp.store %acc#1, %at76 : tensor<1x160xf32>, !ktdp.access_tile<1x160xindex>
    return
  }
}
