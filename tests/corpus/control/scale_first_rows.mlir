// Rows below a loaded number are updated in place, where a flag of each row says so
module {
  func.func @scale_first_rows(%n: index, %f: index, %x: index) attributes {grid = [4]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %pid = ktdp.get_compute_tile_id : index
    %nv = ktdp.construct_memory_view %n, sizes: [4], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4xi32>
    %fv = ktdp.construct_memory_view %f, sizes: [4, 6], strides: [6, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 5 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x6xi32>
    %xv = ktdp.construct_memory_view %x, sizes: [4, 6, 96], strides: [576, 96, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 5 >= 0, d2 >= 0, -d2 + 95 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x6x96xf16>
    %two = arith.constant dense<2.000000e+00> : tensor<1x1x96xf16>
    %three = arith.constant 3 : i32
    %m_v_t = ktdp.construct_access_tile %nv[%pid] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<4xi32> -> !ktdp.access_tile<1xindex>
    %m_v = ktdp.load %m_v_t : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %m_i = tensor.extract %m_v[%c0] : tensor<1xi32>
    %m = arith.index_cast %m_i : i32 to index
    scf.for %i = %c0 to %m step %c1 {
      %g_v_t = ktdp.construct_access_tile %fv[%pid, %i] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 0 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<4x6xi32> -> !ktdp.access_tile<1x1xindex>
      %g_v = ktdp.load %g_v_t : !ktdp.access_tile<1x1xindex> -> tensor<1x1xi32>
      %g_i = tensor.extract %g_v[%c0, %c0] : tensor<1x1xi32>
      %go = arith.cmpi sgt, %g_i, %three : i32
      scf.if %go {
        %row_t = ktdp.construct_access_tile %xv[%pid, %i, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 0 >= 0, d2 >= 0, -d2 + 95 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<4x6x96xf16> -> !ktdp.access_tile<1x1x96xindex>
        %row = ktdp.load %row_t : !ktdp.access_tile<1x1x96xindex> -> tensor<1x1x96xf16>
        %p = arith.mulf %row, %two : tensor<1x1x96xf16>
        %at_4 = ktdp.construct_access_tile %xv[%pid, %i, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 0 >= 0, d2 >= 0, -d2 + 95 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<4x6x96xf16> -> !ktdp.access_tile<1x1x96xindex>
        ktdp.store %p, %at_4 : tensor<1x1x96xf16>, !ktdp.access_tile<1x1x96xindex>
      }
    }
    return
  }
}
