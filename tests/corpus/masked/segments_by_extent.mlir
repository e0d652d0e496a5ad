// Segments of a flat list, each a view as long as it is: blocks of 16 values, the last one cut off by the view
module {
  func.func @segments_by_extent(%offs: index, %x: index, %y: index) attributes {grid = [3]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %c40 = arith.constant 40 : index
    %pid = ktdp.get_compute_tile_id : index
    %ov = ktdp.construct_memory_view %offs, sizes: [4], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4xi32>
    %xall = ktdp.construct_memory_view %x, sizes: [40], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 39 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<40xf32>
    %yall = ktdp.construct_memory_view %y, sizes: [40], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 39 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<40xf32>
    %z0 = arith.constant 0.000000e+00 : f32
    %zi = arith.constant dense<0.000000e+00> : tensor<f32>
    %next = arith.addi %pid, %c1 : index
    %lo_v_t = ktdp.construct_access_tile %ov[%pid] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<4xi32> -> !ktdp.access_tile<1xindex>
    %lo_v = ktdp.load %lo_v_t : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %lo_i = tensor.extract %lo_v[%c0] : tensor<1xi32>
    %lo = arith.index_cast %lo_i : i32 to index
    %hi_v_t = ktdp.construct_access_tile %ov[%next] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<4xi32> -> !ktdp.access_tile<1xindex>
    %hi_v = ktdp.load %hi_v_t : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %hi_i = tensor.extract %hi_v[%c0] : tensor<1xi32>
    %hi = arith.index_cast %hi_i : i32 to index
    %n0 = arith.subi %hi, %lo : index
    %n = arith.minsi %n0, %c40 : index
    %o = arith.muli %lo, %c4 : index
    %xp = arith.addi %x, %o : index
    %yp = arith.addi %y, %o : index
    %xv = ktdp.construct_memory_view %xp, sizes: [%n], strides: [1] {coordinate_set = affine_set<(d0)[s0] : (d0 >= 0, s0 - d0 - 1 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<?xf32>
    %yv = ktdp.construct_memory_view %yp, sizes: [%n], strides: [1] {coordinate_set = affine_set<(d0)[s0] : (d0 >= 0, s0 - d0 - 1 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<?xf32>
    %s = scf.for %i = %c0 to %n step %c16 iter_args(%acc = %z0) -> (f32) {
      %b_t = ktdp.construct_access_tile %xv[%i] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 15 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<?xf32> -> !ktdp.access_tile<16xindex>
      %b = ktdp.load %b_t : !ktdp.access_tile<16xindex> -> tensor<16xf32>
      %q = arith.mulf %b, %b : tensor<16xf32>
      %r = linalg.reduce { arith.addf } ins(%q : tensor<16xf32>) outs(%zi : tensor<f32>) dimensions = [0]
      %f = tensor.extract %r[] : tensor<f32>
      %a = arith.addf %acc, %f : f32
      scf.yield %a : f32
    }
    %t = tensor.splat %s : tensor<16xf32>
    scf.for %j = %c0 to %n step %c16 {
      %d_t = ktdp.construct_access_tile %xv[%j] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 15 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<?xf32> -> !ktdp.access_tile<16xindex>
      %d = ktdp.load %d_t : !ktdp.access_tile<16xindex> -> tensor<16xf32>
      %e = arith.divf %d, %t : tensor<16xf32>
      %at_5 = ktdp.construct_access_tile %yv[%j] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 15 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<?xf32> -> !ktdp.access_tile<16xindex>
      ktdp.store %e, %at_5 : tensor<16xf32>, !ktdp.access_tile<16xindex>
    }
    return
  }
}
