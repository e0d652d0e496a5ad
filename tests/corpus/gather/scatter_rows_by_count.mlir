// As many rows as are loaded are added to rows whose numbers are loaded
module {
  func.func @scatter_rows_by_count(%n: index, %dst: index, %x: index, %y: index) attributes {grid = [1]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %nv = ktdp.construct_memory_view %n, sizes: [1], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<1xi32>
    %dv = ktdp.construct_memory_view %dst, sizes: [8], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 7 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<8xi32>
    %xv = ktdp.construct_memory_view %x, sizes: [8, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<8x64xf32>
    %yv = ktdp.construct_memory_view %y, sizes: [16, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<16x64xf32>
    %m_v_t = ktdp.construct_access_tile %nv[%c0] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<1xi32> -> !ktdp.access_tile<1xindex>
    %m_v = ktdp.load %m_v_t : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %m_i = tensor.extract %m_v[%c0] : tensor<1xi32>
    %m = arith.index_cast %m_i : i32 to index
    scf.for %i = %c0 to %m step %c1 {
      %d_v_t = ktdp.construct_access_tile %dv[%i] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<8xi32> -> !ktdp.access_tile<1xindex>
      %d_v = ktdp.load %d_v_t : !ktdp.access_tile<1xindex> -> tensor<1xi32>
      %d_i = tensor.extract %d_v[%c0] : tensor<1xi32>
      %d = arith.index_cast %d_i : i32 to index
      %row_t = ktdp.construct_access_tile %xv[%i, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<8x64xf32> -> !ktdp.access_tile<1x64xindex>
      %row = ktdp.load %row_t : !ktdp.access_tile<1x64xindex> -> tensor<1x64xf32>
      %old_t = ktdp.construct_access_tile %yv[%d, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<16x64xf32> -> !ktdp.access_tile<1x64xindex>
      %old = ktdp.load %old_t : !ktdp.access_tile<1x64xindex> -> tensor<1x64xf32>
      %s = arith.addf %old, %row : tensor<1x64xf32>
      %at_5 = ktdp.construct_access_tile %yv[%d, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<16x64xf32> -> !ktdp.access_tile<1x64xindex>
      ktdp.store %s, %at_5 : tensor<1x64xf32>, !ktdp.access_tile<1x64xindex>
    }
    return
  }
}
