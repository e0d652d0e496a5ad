// Token by token through a page table: the page is the token's number divided by the page's size
module {
  func.func @tokens_of_pages(%lens: index, %bt: index, %pool: index, %y: index) attributes {grid = [2]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %pid = ktdp.get_compute_tile_id : index
    %z = arith.constant dense<0.000000e+00> : tensor<1x1x64xf32>
    %lv = ktdp.construct_memory_view %lens, sizes: [2], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2xi32>
    %bv = ktdp.construct_memory_view %bt, sizes: [2, 3], strides: [3, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 2 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x3xi32>
    %pv = ktdp.construct_memory_view %pool, sizes: [8, 4, 64], strides: [256, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 3 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<8x4x64xf32>
    %yv = ktdp.construct_memory_view %y, sizes: [2, 1, 64], strides: [64, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 0 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x1x64xf32>
    %m_v_t = ktdp.construct_access_tile %lv[%pid] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<2xi32> -> !ktdp.access_tile<1xindex>
    %m_v = ktdp.load %m_v_t : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %m_i = tensor.extract %m_v[%c0] : tensor<1xi32>
    %m = arith.index_cast %m_i : i32 to index
    %s = scf.for %i = %c0 to %m step %c1 iter_args(%acc = %z) -> (tensor<1x1x64xf32>) {
      %b = arith.divsi %i, %c4 : index
      %o = arith.remsi %i, %c4 : index
      %pg_v_t = ktdp.construct_access_tile %bv[%pid, %b] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 0 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<2x3xi32> -> !ktdp.access_tile<1x1xindex>
      %pg_v = ktdp.load %pg_v_t : !ktdp.access_tile<1x1xindex> -> tensor<1x1xi32>
      %pg_i = tensor.extract %pg_v[%c0, %c0] : tensor<1x1xi32>
      %pg = arith.index_cast %pg_i : i32 to index
      %row_t = ktdp.construct_access_tile %pv[%pg, %o, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 0 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<8x4x64xf32> -> !ktdp.access_tile<1x1x64xindex>
      %row = ktdp.load %row_t : !ktdp.access_tile<1x1x64xindex> -> tensor<1x1x64xf32>
      %n1 = arith.addf %acc, %row : tensor<1x1x64xf32>
      scf.yield %n1 : tensor<1x1x64xf32>
    }
    %at_4 = ktdp.construct_access_tile %yv[%pid, 0, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 0 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<2x1x64xf32> -> !ktdp.access_tile<1x1x64xindex>
    ktdp.store %s, %at_4 : tensor<1x1x64xf32>, !ktdp.access_tile<1x1x64xindex>
    return
  }
}
