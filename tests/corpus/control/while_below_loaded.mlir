// An scf.while that counts to a loaded number, as front ends write loops with a break
module {
  func.func @while_below_loaded(%n: index, %x: index, %y: index) attributes {grid = [4]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %pid = ktdp.get_compute_tile_id : index
    %nv = ktdp.construct_memory_view %n, sizes: [4], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4xi32>
    %xv = ktdp.construct_memory_view %x, sizes: [4, 10, 64], strides: [640, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 9 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x10x64xf32>
    %yv = ktdp.construct_memory_view %y, sizes: [4, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x64xf32>
    %m_v_t = ktdp.construct_access_tile %nv[%pid] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<4xi32> -> !ktdp.access_tile<1xindex>
    %m_v = ktdp.load %m_v_t : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %m_i = tensor.extract %m_v[%c0] : tensor<1xi32>
    %m = arith.index_cast %m_i : i32 to index
    %z = arith.constant dense<1.000000e+00> : tensor<1x1x64xf32>
    %r:2 = scf.while (%i = %c0, %v = %z) : (index, tensor<1x1x64xf32>) -> (index, tensor<1x1x64xf32>) {
      %go = arith.cmpi slt, %i, %m : index
      scf.condition(%go) %i, %v : index, tensor<1x1x64xf32>
    } do {
    ^bb0(%j: index, %w: tensor<1x1x64xf32>):
      %row_t = ktdp.construct_access_tile %xv[%pid, %j, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 0 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<4x10x64xf32> -> !ktdp.access_tile<1x1x64xindex>
      %row = ktdp.load %row_t : !ktdp.access_tile<1x1x64xindex> -> tensor<1x1x64xf32>
      %p = arith.mulf %w, %row : tensor<1x1x64xf32>
      %k = arith.addi %j, %c1 : index
      scf.yield %k, %p : index, tensor<1x1x64xf32>
    }
    %s = tensor.collapse_shape %r#1 [[0, 1], [2]] : tensor<1x1x64xf32> into tensor<1x64xf32>
    %at_3 = ktdp.construct_access_tile %yv[%pid, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<4x64xf32> -> !ktdp.access_tile<1x64xindex>
    ktdp.store %s, %at_3 : tensor<1x64xf32>, !ktdp.access_tile<1x64xindex>
    return
  }
}
