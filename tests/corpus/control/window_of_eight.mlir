// Eight rows from a row that is loaded: how many they are is known, where they begin is not
module {
  func.func @window_of_eight(%start: index, %x: index, %y: index) attributes {grid = [4]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %pid = ktdp.get_compute_tile_id : index
    %sv = ktdp.construct_memory_view %start, sizes: [4], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4xi32>
    %xv = ktdp.construct_memory_view %x, sizes: [20, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 19 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<20x64xf16>
    %yv = ktdp.construct_memory_view %y, sizes: [4, 8, 64], strides: [512, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 7 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x8x64xf16>
    %lo_v_t = ktdp.construct_access_tile %sv[%pid] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<4xi32> -> !ktdp.access_tile<1xindex>
    %lo_v = ktdp.load %lo_v_t : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %lo_i = tensor.extract %lo_v[%c0] : tensor<1xi32>
    %lo = arith.index_cast %lo_i : i32 to index
    %hi = arith.addi %lo, %c8 : index
    scf.for %i = %lo to %hi step %c1 {
      %row_t = ktdp.construct_access_tile %xv[%i, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<20x64xf16> -> !ktdp.access_tile<1x64xindex>
      %row = ktdp.load %row_t : !ktdp.access_tile<1x64xindex> -> tensor<1x64xf16>
      %e = math.exp %row : tensor<1x64xf16>
      %j = arith.subi %i, %lo : index
      %e3 = tensor.expand_shape %e [[0, 1], [2]] output_shape [1, 1, 64] : tensor<1x64xf16> into tensor<1x1x64xf16>
      %at_3 = ktdp.construct_access_tile %yv[%pid, %j, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 0 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<4x8x64xf16> -> !ktdp.access_tile<1x1x64xindex>
      ktdp.store %e3, %at_3 : tensor<1x1x64xf16>, !ktdp.access_tile<1x1x64xindex>
    }
    return
  }
}
