// Blocks through a pointer that moves on, as often as a loaded number says, four times at most
module {
  func.func @pointer_blocks(%n: index, %x: index, %y: index) attributes {grid = [2]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c512 = arith.constant 512 : index
    %c2048 = arith.constant 2048 : index
    %pid = ktdp.get_compute_tile_id : index
    %nv = ktdp.construct_memory_view %n, sizes: [2], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2xi32>
    %yv = ktdp.construct_memory_view %y, sizes: [2, 128], strides: [128, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 127 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x128xf32>
    %z = arith.constant dense<0.000000e+00> : tensor<1x128xf32>
    %m_v_t = ktdp.construct_access_tile %nv[%pid] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<2xi32> -> !ktdp.access_tile<1xindex>
    %m_v = ktdp.load %m_v_t : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %m_i = tensor.extract %m_v[%c0] : tensor<1xi32>
    %m = arith.index_cast %m_i : i32 to index
    %few = arith.minsi %m, %c4 : index
    %o = arith.muli %pid, %c2048 : index
    %p0 = arith.addi %x, %o : index
    %r:2 = scf.for %i = %c0 to %few step %c1 iter_args(%acc = %z, %p = %p0) -> (tensor<1x128xf32>, index) {
      %bv = ktdp.construct_memory_view %p, sizes: [1, 128], strides: [128, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 127 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<1x128xf32>
      %row_t = ktdp.construct_access_tile %bv[0, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 127 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<1x128xf32> -> !ktdp.access_tile<1x128xindex>
      %row = ktdp.load %row_t : !ktdp.access_tile<1x128xindex> -> tensor<1x128xf32>
      %s = arith.addf %acc, %row : tensor<1x128xf32>
      %q = arith.addi %p, %c512 : index
      scf.yield %s, %q : tensor<1x128xf32>, index
    }
    %at_3 = ktdp.construct_access_tile %yv[%pid, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 127 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<2x128xf32> -> !ktdp.access_tile<1x128xindex>
    ktdp.store %r#0, %at_3 : tensor<1x128xf32>, !ktdp.access_tile<1x128xindex>
    return
  }
}
