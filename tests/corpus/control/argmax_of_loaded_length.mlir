// The largest of a loaded number of values and where it is: a number and an index are carried under the condition
module {
  func.func @argmax_of_loaded_length(%n: index, %x: index, %best: index, %where: index) attributes {grid = [4]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %pid = ktdp.get_compute_tile_id : index
    %none = arith.constant -1 : i32
    %minf = arith.constant 0xFF800000 : f32
    %nv = ktdp.construct_memory_view %n, sizes: [4], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4xi32>
    %xv = ktdp.construct_memory_view %x, sizes: [4, 12], strides: [12, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 11 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x12xf32>
    %bv = ktdp.construct_memory_view %best, sizes: [4], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4xf32>
    %wv = ktdp.construct_memory_view %where, sizes: [4], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4xi32>
    %m_v_t = ktdp.construct_access_tile %nv[%pid] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<4xi32> -> !ktdp.access_tile<1xindex>
    %m_v = ktdp.load %m_v_t : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %m_i = tensor.extract %m_v[%c0] : tensor<1xi32>
    %m = arith.index_cast %m_i : i32 to index
    %r:2 = scf.for %i = %c0 to %m step %c1 iter_args(%b = %minf, %w = %none) -> (f32, i32) {
      %v_t = ktdp.construct_access_tile %xv[%pid, %i] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 0 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<4x12xf32> -> !ktdp.access_tile<1x1xindex>
      %v = ktdp.load %v_t : !ktdp.access_tile<1x1xindex> -> tensor<1x1xf32>
      %f = tensor.extract %v[%c0, %c0] : tensor<1x1xf32>
      %gt = arith.cmpf ogt, %f, %b : f32
      %b2 = arith.select %gt, %f, %b : f32
      %ii = arith.index_cast %i : index to i32
      %w2 = arith.select %gt, %ii, %w : i32
      scf.yield %b2, %w2 : f32, i32
    }
    %t = tensor.splat %r#0 : tensor<1xf32>
    %u = tensor.splat %r#1 : tensor<1xi32>
    %at_3 = ktdp.construct_access_tile %bv[%pid] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<4xf32> -> !ktdp.access_tile<1xindex>
    ktdp.store %t, %at_3 : tensor<1xf32>, !ktdp.access_tile<1xindex>
    %at_4 = ktdp.construct_access_tile %wv[%pid] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<4xi32> -> !ktdp.access_tile<1xindex>
    ktdp.store %u, %at_4 : tensor<1xi32>, !ktdp.access_tile<1xindex>
    return
  }
}
