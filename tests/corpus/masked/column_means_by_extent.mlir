// Means of as many rows as are loaded, all of them in one tile of a view of that length
module {
  func.func @column_means_by_extent(%lens: index, %x: index, %y: index) attributes {grid = [4]} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c2048 = arith.constant 2048 : index
    %one = arith.constant 1 : i32
    %pid = ktdp.get_compute_tile_id : index
    %lv = ktdp.construct_memory_view %lens, sizes: [4], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4xi32>
    %yv = ktdp.construct_memory_view %y, sizes: [4, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x64xf32>
    %m_v_t = ktdp.construct_access_tile %lv[%pid] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<4xi32> -> !ktdp.access_tile<1xindex>
    %m_v = ktdp.load %m_v_t : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %m_i = tensor.extract %m_v[%c0] : tensor<1xi32>
    %m = arith.index_cast %m_i : i32 to index
    %n = arith.minsi %m, %c8 : index
    %o = arith.muli %pid, %c2048 : index
    %xp = arith.addi %x, %o : index
    %xv = ktdp.construct_memory_view %xp, sizes: [%n, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1)[s0] : (d0 >= 0, s0 - d0 - 1 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<?x64xf32>
    %b_t = ktdp.construct_access_tile %xv[0, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<?x64xf32> -> !ktdp.access_tile<8x64xindex>
    %b = ktdp.load %b_t : !ktdp.access_tile<8x64xindex> -> tensor<8x64xf32>
    %z = arith.constant dense<0.000000e+00> : tensor<64xf32>
    %s = linalg.reduce { arith.addf } ins(%b : tensor<8x64xf32>) outs(%z : tensor<64xf32>) dimensions = [0]
    %c = arith.maxsi %m_i, %one : i32
    %cf = arith.sitofp %c : i32 to f32
    %cs = tensor.splat %cf : tensor<64xf32>
    %q = arith.divf %s, %cs : tensor<64xf32>
    %q1 = tensor.expand_shape %q [[0, 1]] output_shape [1, 64] : tensor<64xf32> into tensor<1x64xf32>
    %at_3 = ktdp.construct_access_tile %yv[%pid, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<4x64xf32> -> !ktdp.access_tile<1x64xindex>
    ktdp.store %q1, %at_3 : tensor<1x64xf32>, !ktdp.access_tile<1x64xindex>
    return
  }
}
