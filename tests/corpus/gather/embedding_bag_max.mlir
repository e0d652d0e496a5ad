// Embedding bag, maximum of the rows of each bag; the loop counts in i32; bags may be empty
module {
  func.func @embedding_bag_max(%ids: index, %offs: index, %table: index, %y: index) attributes {grid = [5]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %pid = ktdp.get_compute_tile_id : index
    %one = arith.constant 1 : i32
    %iv = ktdp.construct_memory_view %ids, sizes: [16], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 15 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<16xi64>
    %ov = ktdp.construct_memory_view %offs, sizes: [6], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 5 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<6xi32>
    %tv = ktdp.construct_memory_view %table, sizes: [24, 80], strides: [80, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 23 >= 0, d1 >= 0, -d1 + 79 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<24x80xf16>
    %yv = ktdp.construct_memory_view %y, sizes: [5, 80], strides: [80, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 4 >= 0, d1 >= 0, -d1 + 79 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<5x80xf16>
    %z = arith.constant dense<0xFC00> : tensor<1x80xf16>
    %next = arith.addi %pid, %c1 : index
    %lo_v_t = ktdp.construct_access_tile %ov[%pid] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<6xi32> -> !ktdp.access_tile<1xindex>
    %lo_v = ktdp.load %lo_v_t : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %lo_i = tensor.extract %lo_v[%c0] : tensor<1xi32>
    %hi_v_t = ktdp.construct_access_tile %ov[%next] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<6xi32> -> !ktdp.access_tile<1xindex>
    %hi_v = ktdp.load %hi_v_t : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %hi_i = tensor.extract %hi_v[%c0] : tensor<1xi32>
    %s = scf.for %r = %lo_i to %hi_i step %one iter_args(%acc = %z) -> (tensor<1x80xf16>)  : i32 {
      %i = arith.index_cast %r : i32 to index
      %id_v_t = ktdp.construct_access_tile %iv[%i] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<16xi64> -> !ktdp.access_tile<1xindex>
      %id_v = ktdp.load %id_v_t : !ktdp.access_tile<1xindex> -> tensor<1xi64>
      %id_i = tensor.extract %id_v[%c0] : tensor<1xi64>
      %id = arith.index_cast %id_i : i64 to index
      %row_t = ktdp.construct_access_tile %tv[%id, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 79 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<24x80xf16> -> !ktdp.access_tile<1x80xindex>
      %row = ktdp.load %row_t : !ktdp.access_tile<1x80xindex> -> tensor<1x80xf16>
      %n = arith.maximumf %acc, %row : tensor<1x80xf16>
      scf.yield %n : tensor<1x80xf16>
    }
    %at_5 = ktdp.construct_access_tile %yv[%pid, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 79 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<5x80xf16> -> !ktdp.access_tile<1x80xindex>
    ktdp.store %s, %at_5 : tensor<1x80xf16>, !ktdp.access_tile<1x80xindex>
    return
  }
}
