// Ragged rows to padded ones: how many sequences there are is loaded, and where each begins (grid: column blocks)
module {
  func.func @ragged_to_padded(%nseq: index, %cu: index, %x: index, %y: index) attributes {grid = [2]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %pid = ktdp.get_compute_tile_id : index
    %col = arith.muli %pid, %c64 : index
    %nv = ktdp.construct_memory_view %nseq, sizes: [1], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<1xi32>
    %ov = ktdp.construct_memory_view %cu, sizes: [5], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 4 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<5xi32>
    %xv = ktdp.construct_memory_view %x, sizes: [10, 128], strides: [128, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 9 >= 0, d1 >= 0, -d1 + 127 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<10x128xf16>
    %yv = ktdp.construct_memory_view %y, sizes: [4, 10, 128], strides: [1280, 128, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 9 >= 0, d2 >= 0, -d2 + 127 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x10x128xf16>
    %n_v_t = ktdp.construct_access_tile %nv[%c0] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<1xi32> -> !ktdp.access_tile<1xindex>
    %n_v = ktdp.load %n_v_t : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %n_i = tensor.extract %n_v[%c0] : tensor<1xi32>
    %n = arith.index_cast %n_i : i32 to index
    scf.for %s = %c0 to %n step %c1 {
      %s1 = arith.addi %s, %c1 : index
      %lo_v_t = ktdp.construct_access_tile %ov[%s] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<5xi32> -> !ktdp.access_tile<1xindex>
      %lo_v = ktdp.load %lo_v_t : !ktdp.access_tile<1xindex> -> tensor<1xi32>
      %lo_i = tensor.extract %lo_v[%c0] : tensor<1xi32>
      %lo = arith.index_cast %lo_i : i32 to index
      %hi_v_t = ktdp.construct_access_tile %ov[%s1] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<5xi32> -> !ktdp.access_tile<1xindex>
      %hi_v = ktdp.load %hi_v_t : !ktdp.access_tile<1xindex> -> tensor<1xi32>
      %hi_i = tensor.extract %hi_v[%c0] : tensor<1xi32>
      %hi = arith.index_cast %hi_i : i32 to index
      %len = arith.subi %hi, %lo : index
      scf.for %j = %c0 to %len step %c1 {
        %at = arith.addi %lo, %j : index
        %row_t = ktdp.construct_access_tile %xv[%at, %col] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<10x128xf16> -> !ktdp.access_tile<1x64xindex>
        %row = ktdp.load %row_t : !ktdp.access_tile<1x64xindex> -> tensor<1x64xf16>
        %row3 = tensor.expand_shape %row [[0, 1], [2]] output_shape [1, 1, 64] : tensor<1x64xf16> into tensor<1x1x64xf16>
        %at_5 = ktdp.construct_access_tile %yv[%s, %j, %col] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 0 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<4x10x128xf16> -> !ktdp.access_tile<1x1x64xindex>
        ktdp.store %row3, %at_5 : tensor<1x1x64xf16>, !ktdp.access_tile<1x1x64xindex>
      }
    }
    return
  }
}
