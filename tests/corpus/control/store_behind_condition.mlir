// A row beside the one of the iteration is stored where a loaded number allows it: outside of the view it does not
module {
  func.func @store_behind_condition(%n: index, %x: index, %y: index) attributes {grid = [4]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    %pid = ktdp.get_compute_tile_id : index
    %nv = ktdp.construct_memory_view %n, sizes: [4], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4xi32>
    %xv = ktdp.construct_memory_view %x, sizes: [4, 6, 64], strides: [384, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 5 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x6x64xf32>
    %yv = ktdp.construct_memory_view %y, sizes: [4, 6, 64], strides: [384, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 5 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x6x64xf32>
    %m_v_t = ktdp.construct_access_tile %nv[%pid] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<4xi32> -> !ktdp.access_tile<1xindex>
    %m_v = ktdp.load %m_v_t : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %m_i = tensor.extract %m_v[%c0] : tensor<1xi32>
    %m = arith.index_cast %m_i : i32 to index
    scf.for %i = %c0 to %c6 step %c1 {
      %row_t = ktdp.construct_access_tile %xv[%pid, %i, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 0 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<4x6x64xf32> -> !ktdp.access_tile<1x1x64xindex>
      %row = ktdp.load %row_t : !ktdp.access_tile<1x1x64xindex> -> tensor<1x1x64xf32>
      %j = arith.addi %i, %c1 : index
      %more = arith.cmpi slt, %j, %m : index
      %in = arith.cmpi slt, %j, %c6 : index
      %both = arith.andi %more, %in : i1
      scf.if %both {
        %at_3 = ktdp.construct_access_tile %yv[%pid, %j, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 0 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<4x6x64xf32> -> !ktdp.access_tile<1x1x64xindex>
        ktdp.store %row, %at_3 : tensor<1x1x64xf32>, !ktdp.access_tile<1x1x64xindex>
      }
    }
    return
  }
}
