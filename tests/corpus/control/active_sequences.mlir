// Only sequences with a flag are summed, up to their length
module {
  func.func @active_sequences(%active: index, %lens: index, %x: index, %y: index) attributes {grid = [4]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %pid = ktdp.get_compute_tile_id : index
    %four = arith.constant 4 : i32
    %av = ktdp.construct_memory_view %active, sizes: [4], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4xi32>
    %lv = ktdp.construct_memory_view %lens, sizes: [4], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4xi32>
    %xv = ktdp.construct_memory_view %x, sizes: [4, 10, 64], strides: [640, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 9 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x10x64xf32>
    %yv = ktdp.construct_memory_view %y, sizes: [4, 1, 64], strides: [64, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 0 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x1x64xf32>
    %z = arith.constant dense<0.000000e+00> : tensor<1x1x64xf32>
    %a_v_t = ktdp.construct_access_tile %av[%pid] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<4xi32> -> !ktdp.access_tile<1xindex>
    %a_v = ktdp.load %a_v_t : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %a_i = tensor.extract %a_v[%c0] : tensor<1xi32>
    %m_v_t = ktdp.construct_access_tile %lv[%pid] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<4xi32> -> !ktdp.access_tile<1xindex>
    %m_v = ktdp.load %m_v_t : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %m_i = tensor.extract %m_v[%c0] : tensor<1xi32>
    %m = arith.index_cast %m_i : i32 to index
    %on = arith.cmpi slt, %a_i, %four : i32
    scf.if %on {
      %s = scf.for %i = %c0 to %m step %c1 iter_args(%acc = %z) -> (tensor<1x1x64xf32>) {
        %row_t = ktdp.construct_access_tile %xv[%pid, %i, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 0 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<4x10x64xf32> -> !ktdp.access_tile<1x1x64xindex>
        %row = ktdp.load %row_t : !ktdp.access_tile<1x1x64xindex> -> tensor<1x1x64xf32>
        %n = arith.addf %acc, %row : tensor<1x1x64xf32>
        scf.yield %n : tensor<1x1x64xf32>
      }
      %at_4 = ktdp.construct_access_tile %yv[%pid, 0, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 0 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<4x1x64xf32> -> !ktdp.access_tile<1x1x64xindex>
      ktdp.store %s, %at_4 : tensor<1x1x64xf32>, !ktdp.access_tile<1x1x64xindex>
    }
    return
  }
}
