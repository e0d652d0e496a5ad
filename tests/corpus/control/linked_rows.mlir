// Rows of a linked list: which comes next is read from memory, how many is loaded
module {
  func.func @linked_rows(%head: index, %next: index, %n: index, %x: index, %y: index) attributes {grid = [2]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    %pid = ktdp.get_compute_tile_id : index
    %z = arith.constant dense<0.000000e+00> : tensor<1x64xf32>
    %hv = ktdp.construct_memory_view %head, sizes: [2], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2xi32>
    %nx = ktdp.construct_memory_view %next, sizes: [12], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 11 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<12xi32>
    %nv = ktdp.construct_memory_view %n, sizes: [2], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2xi32>
    %xv = ktdp.construct_memory_view %x, sizes: [12, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 11 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<12x64xf32>
    %yv = ktdp.construct_memory_view %y, sizes: [2, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x64xf32>
    %h_v_t = ktdp.construct_access_tile %hv[%pid] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<2xi32> -> !ktdp.access_tile<1xindex>
    %h_v = ktdp.load %h_v_t : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %h_i = tensor.extract %h_v[%c0] : tensor<1xi32>
    %h = arith.index_cast %h_i : i32 to index
    %m0_v_t = ktdp.construct_access_tile %nv[%pid] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<2xi32> -> !ktdp.access_tile<1xindex>
    %m0_v = ktdp.load %m0_v_t : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %m0_i = tensor.extract %m0_v[%c0] : tensor<1xi32>
    %m0 = arith.index_cast %m0_i : i32 to index
    %m = arith.minsi %m0, %c6 : index
    %r:2 = scf.for %i = %c0 to %m step %c1 iter_args(%acc = %z, %at = %h_i) -> (tensor<1x64xf32>, i32) {
      %a = arith.index_cast %at : i32 to index
      %row_t = ktdp.construct_access_tile %xv[%a, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<12x64xf32> -> !ktdp.access_tile<1x64xindex>
      %row = ktdp.load %row_t : !ktdp.access_tile<1x64xindex> -> tensor<1x64xf32>
      %s = arith.addf %acc, %row : tensor<1x64xf32>
      %nn_v_t = ktdp.construct_access_tile %nx[%a] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<12xi32> -> !ktdp.access_tile<1xindex>
      %nn_v = ktdp.load %nn_v_t : !ktdp.access_tile<1xindex> -> tensor<1xi32>
      %nn_i = tensor.extract %nn_v[%c0] : tensor<1xi32>
      scf.yield %s, %nn_i : tensor<1x64xf32>, i32
    }
    %at_5 = ktdp.construct_access_tile %yv[%pid, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<2x64xf32> -> !ktdp.access_tile<1x64xindex>
    ktdp.store %r#0, %at_5 : tensor<1x64xf32>, !ktdp.access_tile<1x64xindex>
    return
  }
}
