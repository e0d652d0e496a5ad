// Embedding bag over a list of offsets: sum and mean of the rows of each bag
module {
  func.func @embedding_bag_offsets(%ids: index, %offs: index, %table: index, %sums: index, %means: index) attributes {grid = [4]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %pid = ktdp.get_compute_tile_id : index
    %iv = ktdp.construct_memory_view %ids, sizes: [20], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 19 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<20xi32>
    %ov = ktdp.construct_memory_view %offs, sizes: [5], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 4 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<5xi32>
    %tv = ktdp.construct_memory_view %table, sizes: [30, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 29 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<30x64xf32>
    %sv = ktdp.construct_memory_view %sums, sizes: [4, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x64xf32>
    %mv = ktdp.construct_memory_view %means, sizes: [4, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x64xf32>
    %z = arith.constant dense<0.000000e+00> : tensor<1x64xf32>
    %one = arith.constant 1 : i32
    %next = arith.addi %pid, %c1 : index
    %lo_v_t = ktdp.construct_access_tile %ov[%pid] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<5xi32> -> !ktdp.access_tile<1xindex>
    %lo_v = ktdp.load %lo_v_t : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %lo_i = tensor.extract %lo_v[%c0] : tensor<1xi32>
    %lo = arith.index_cast %lo_i : i32 to index
    %hi_v_t = ktdp.construct_access_tile %ov[%next] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<5xi32> -> !ktdp.access_tile<1xindex>
    %hi_v = ktdp.load %hi_v_t : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %hi_i = tensor.extract %hi_v[%c0] : tensor<1xi32>
    %hi = arith.index_cast %hi_i : i32 to index
    %s = scf.for %i = %lo to %hi step %c1 iter_args(%acc = %z) -> (tensor<1x64xf32>) {
      %id_v_t = ktdp.construct_access_tile %iv[%i] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<20xi32> -> !ktdp.access_tile<1xindex>
      %id_v = ktdp.load %id_v_t : !ktdp.access_tile<1xindex> -> tensor<1xi32>
      %id_i = tensor.extract %id_v[%c0] : tensor<1xi32>
      %id = arith.index_cast %id_i : i32 to index
      %row_t = ktdp.construct_access_tile %tv[%id, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<30x64xf32> -> !ktdp.access_tile<1x64xindex>
      %row = ktdp.load %row_t : !ktdp.access_tile<1x64xindex> -> tensor<1x64xf32>
      %n = arith.addf %acc, %row : tensor<1x64xf32>
      scf.yield %n : tensor<1x64xf32>
    }
    %size = arith.subi %hi_i, %lo_i : i32
    %count = arith.maxsi %size, %one : i32
    %cf = arith.sitofp %count : i32 to f32
    %cs = tensor.splat %cf : tensor<1x64xf32>
    %mean = arith.divf %s, %cs : tensor<1x64xf32>
    %at_5 = ktdp.construct_access_tile %sv[%pid, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<4x64xf32> -> !ktdp.access_tile<1x64xindex>
    ktdp.store %s, %at_5 : tensor<1x64xf32>, !ktdp.access_tile<1x64xindex>
    %at_6 = ktdp.construct_access_tile %mv[%pid, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<4x64xf32> -> !ktdp.access_tile<1x64xindex>
    ktdp.store %mean, %at_6 : tensor<1x64xf32>, !ktdp.access_tile<1x64xindex>
    return
  }
}
