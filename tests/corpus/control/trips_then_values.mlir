// Numbers carried by a loop whose length is loaded (it may not run at all) are used behind it
module {
  func.func @trips_then_values(%n: index, %x: index, %y: index, %last: index) attributes {grid = [4]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %pid = ktdp.get_compute_tile_id : index
    %nv = ktdp.construct_memory_view %n, sizes: [4], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4xi32>
    %xv = ktdp.construct_memory_view %x, sizes: [4, 8], strides: [8, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 7 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x8xf32>
    %yv = ktdp.construct_memory_view %y, sizes: [4, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x64xf32>
    %wv = ktdp.construct_memory_view %last, sizes: [4, 12, 64], strides: [768, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 11 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x12x64xf32>
    %zero = arith.constant 0.000000e+00 : f32
    %m_v_t = ktdp.construct_access_tile %nv[%pid] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<4xi32> -> !ktdp.access_tile<1xindex>
    %m_v = ktdp.load %m_v_t : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %m_i = tensor.extract %m_v[%c0] : tensor<1xi32>
    %m = arith.index_cast %m_i : i32 to index
    %few = arith.subi %m, %c3 : index
    %r:2 = scf.for %i = %c0 to %few step %c1 iter_args(%sum = %zero, %at = %c0) -> (f32, index) {
      %v_t = ktdp.construct_access_tile %xv[%pid, %i] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 0 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<4x8xf32> -> !ktdp.access_tile<1x1xindex>
      %v = ktdp.load %v_t : !ktdp.access_tile<1x1xindex> -> tensor<1x1xf32>
      %f = tensor.extract %v[%c0, %c0] : tensor<1x1xf32>
      %s = arith.addf %sum, %f : f32
      %a = arith.addi %at, %c1 : index
      scf.yield %s, %a : f32, index
    }
    %t = tensor.splat %r#0 : tensor<1x64xf32>
    %at_3 = ktdp.construct_access_tile %yv[%pid, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<4x64xf32> -> !ktdp.access_tile<1x64xindex>
    ktdp.store %t, %at_3 : tensor<1x64xf32>, !ktdp.access_tile<1x64xindex>
    %t3 = tensor.expand_shape %t [[0, 1], [2]] output_shape [1, 1, 64] : tensor<1x64xf32> into tensor<1x1x64xf32>
    %at_4 = ktdp.construct_access_tile %wv[%pid, %r#1, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 0 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<4x12x64xf32> -> !ktdp.access_tile<1x1x64xindex>
    ktdp.store %t3, %at_4 : tensor<1x1x64xf32>, !ktdp.access_tile<1x1x64xindex>
    return
  }
}
