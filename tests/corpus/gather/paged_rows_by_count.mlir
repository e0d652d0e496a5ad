// Pages through an indirect tile: the page table's index view moves with the loop, the number of pages is loaded
module {
  func.func @paged_rows_by_count(%lens: index, %bt: index, %pool: index, %y: index) attributes {grid = [2]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %pid = ktdp.get_compute_tile_id : index
    %lv = ktdp.construct_memory_view %lens, sizes: [2], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2xi32>
    %bv = ktdp.construct_memory_view %bt, sizes: [2, 6], strides: [6, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 5 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x6xi32>
    %pv = ktdp.construct_memory_view %pool, sizes: [16, 8, 64], strides: [512, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 7 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<16x8x64xf16>
    %yv = ktdp.construct_memory_view %y, sizes: [2, 6, 8, 64], strides: [3072, 512, 64, 1] {coordinate_set = affine_set<(d0, d1, d2, d3) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 5 >= 0, d2 >= 0, -d2 + 7 >= 0, d3 >= 0, -d3 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x6x8x64xf16>
    %m_v_t = ktdp.construct_access_tile %lv[%pid] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<2xi32> -> !ktdp.access_tile<1xindex>
    %m_v = ktdp.load %m_v_t : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %m_i = tensor.extract %m_v[%c0] : tensor<1xi32>
    %m = arith.index_cast %m_i : i32 to index
    scf.for %i = %c0 to %m step %c1 {
      %t = ktdp.construct_indirect_access_tile intermediate_variables(%a, %r, %c) %pv[ind(%bv[%pid, %i + %a]), (%r), (%c)] {variables_space_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 7 >= 0, d2 >= 0, -d2 + 63 >= 0)>, variables_space_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<16x8x64xf16>, memref<2x6xi32> -> !ktdp.access_tile<1x8x64xindex>
      %p = ktdp.load %t : !ktdp.access_tile<1x8x64xindex> -> tensor<1x8x64xf16>
      %e = math.exp %p : tensor<1x8x64xf16>
      %e4 = tensor.expand_shape %e [[0, 1], [2], [3]] output_shape [1, 1, 8, 64] : tensor<1x8x64xf16> into tensor<1x1x8x64xf16>
      %at_2 = ktdp.construct_access_tile %yv[%pid, %i, 0, 0] {access_tile_set = affine_set<(d0, d1, d2, d3) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 0 >= 0, d2 >= 0, -d2 + 7 >= 0, d3 >= 0, -d3 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>} : memref<2x6x8x64xf16> -> !ktdp.access_tile<1x1x8x64xindex>
      ktdp.store %e4, %at_2 : tensor<1x1x8x64xf16>, !ktdp.access_tile<1x1x8x64xindex>
    }
    return
  }
}
