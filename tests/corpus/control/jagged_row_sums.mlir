// Sums of rows from one offset to the next: both bounds of the loop are loaded
module {
  func.func @jagged_row_sums(%offs: index, %x: index, %y: index) attributes {grid = [4]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %pid = ktdp.get_compute_tile_id : index
    %ov = ktdp.construct_memory_view %offs, sizes: [5], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 4 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<5xi32>
    %xv = ktdp.construct_memory_view %x, sizes: [12, 96], strides: [96, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 11 >= 0, d1 >= 0, -d1 + 95 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<12x96xf32>
    %yv = ktdp.construct_memory_view %y, sizes: [4, 96], strides: [96, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 95 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x96xf32>
    %z = arith.constant dense<0.000000e+00> : tensor<1x96xf32>
    %next = arith.addi %pid, %c1 : index
    %lo_v_t = ktdp.construct_access_tile %ov[%pid] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<5xi32> -> !ktdp.access_tile<1xindex>
    %lo_v = ktdp.load %lo_v_t : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %lo_i = tensor.extract %lo_v[%c0] : tensor<1xi32>
    %lo = arith.index_cast %lo_i : i32 to index
    %hi_v_t = ktdp.construct_access_tile %ov[%next] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<5xi32> -> !ktdp.access_tile<1xindex>
    %hi_v = ktdp.load %hi_v_t : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %hi_i = tensor.extract %hi_v[%c0] : tensor<1xi32>
    %hi = arith.index_cast %hi_i : i32 to index
    %s = scf.for %i = %lo to %hi step %c1 iter_args(%acc = %z) -> (tensor<1x96xf32>) {
      %row_t = ktdp.construct_access_tile %xv[%i, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 95 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<12x96xf32> -> !ktdp.access_tile<1x96xindex>
      %row = ktdp.load %row_t : !ktdp.access_tile<1x96xindex> -> tensor<1x96xf32>
      %n = arith.addf %acc, %row : tensor<1x96xf32>
      scf.yield %n : tensor<1x96xf32>
    }
    %at_4 = ktdp.construct_access_tile %yv[%pid, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 95 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<4x96xf32> -> !ktdp.access_tile<1x96xindex>
    ktdp.store %s, %at_4 : tensor<1x96xf32>, !ktdp.access_tile<1x96xindex>
    return
  }
}
