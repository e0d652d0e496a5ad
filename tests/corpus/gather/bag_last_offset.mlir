// Embedding bag whose list of offsets has no last one: the end of the last bag is the number of indices
module {
  func.func @bag_last_offset(%ids: index, %offs: index, %table: index, %y: index) attributes {grid = [4]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %pid = ktdp.get_compute_tile_id : index
    %iv = ktdp.construct_memory_view %ids, sizes: [16], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 15 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<16xi32>
    %ov = ktdp.construct_memory_view %offs, sizes: [4], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4xi32>
    %tv = ktdp.construct_memory_view %table, sizes: [30, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 29 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<30x64xf32>
    %yv = ktdp.construct_memory_view %y, sizes: [4, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x64xf32>
    %z = arith.constant dense<0.000000e+00> : tensor<1x64xf32>
    %next = arith.addi %pid, %c1 : index
    %inside = arith.minsi %next, %c3 : index
    %lo_v_t = ktdp.construct_access_tile %ov[%pid] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<4xi32> -> !ktdp.access_tile<1xindex>
    %lo_v = ktdp.load %lo_v_t : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %lo_i = tensor.extract %lo_v[%c0] : tensor<1xi32>
    %lo = arith.index_cast %lo_i : i32 to index
    %en_v_t = ktdp.construct_access_tile %ov[%inside] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<4xi32> -> !ktdp.access_tile<1xindex>
    %en_v = ktdp.load %en_v_t : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %en_i = tensor.extract %en_v[%c0] : tensor<1xi32>
    %en = arith.index_cast %en_i : i32 to index
    %more = arith.cmpi slt, %next, %c4 : index
    %hi = arith.select %more, %en, %c16 : index
    %s = scf.for %i = %lo to %hi step %c1 iter_args(%acc = %z) -> (tensor<1x64xf32>) {
      %id_v_t = ktdp.construct_access_tile %iv[%i] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<16xi32> -> !ktdp.access_tile<1xindex>
      %id_v = ktdp.load %id_v_t : !ktdp.access_tile<1xindex> -> tensor<1xi32>
      %id_i = tensor.extract %id_v[%c0] : tensor<1xi32>
      %id = arith.index_cast %id_i : i32 to index
      %row_t = ktdp.construct_access_tile %tv[%id, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<30x64xf32> -> !ktdp.access_tile<1x64xindex>
      %row = ktdp.load %row_t : !ktdp.access_tile<1x64xindex> -> tensor<1x64xf32>
      %n = arith.addf %acc, %row : tensor<1x64xf32>
      scf.yield %n : tensor<1x64xf32>
    }
    %at_5 = ktdp.construct_access_tile %yv[%pid, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<4x64xf32> -> !ktdp.access_tile<1x64xindex>
    ktdp.store %s, %at_5 : tensor<1x64xf32>, !ktdp.access_tile<1x64xindex>
    return
  }
}
