// From the last row to the first one: the coordinate falls while the loop counts
module {
  func.func @last_rows_first(%n: index, %x: index, %y: index) attributes {grid = [4]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %pid = ktdp.get_compute_tile_id : index
    %half = arith.constant dense<5.000000e-01> : tensor<1x1x64xf32>
    %nv = ktdp.construct_memory_view %n, sizes: [4], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4xi32>
    %xv = ktdp.construct_memory_view %x, sizes: [4, 9, 64], strides: [576, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 8 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x9x64xf32>
    %yv = ktdp.construct_memory_view %y, sizes: [4, 1, 64], strides: [64, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 0 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x1x64xf32>
    %z = arith.constant dense<0.000000e+00> : tensor<1x1x64xf32>
    %m_v_t = ktdp.construct_access_tile %nv[%pid] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<4xi32> -> !ktdp.access_tile<1xindex>
    %m_v = ktdp.load %m_v_t : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %m_i = tensor.extract %m_v[%c0] : tensor<1xi32>
    %m = arith.index_cast %m_i : i32 to index
    %s = scf.for %i = %c0 to %m step %c1 iter_args(%acc = %z) -> (tensor<1x1x64xf32>) {
      %b = arith.subi %m, %i : index
      %at = arith.subi %b, %c1 : index
      %row_t = ktdp.construct_access_tile %xv[%pid, %at, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 0 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<4x9x64xf32> -> !ktdp.access_tile<1x1x64xindex>
      %row = ktdp.load %row_t : !ktdp.access_tile<1x1x64xindex> -> tensor<1x1x64xf32>
      %h = arith.mulf %acc, %half : tensor<1x1x64xf32>
      %n1 = arith.addf %h, %row : tensor<1x1x64xf32>
      scf.yield %n1 : tensor<1x1x64xf32>
    }
    %at_3 = ktdp.construct_access_tile %yv[%pid, 0, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 0 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<4x1x64xf32> -> !ktdp.access_tile<1x1x64xindex>
    ktdp.store %s, %at_3 : tensor<1x1x64xf32>, !ktdp.access_tile<1x1x64xindex>
    return
  }
}
