// Blocks of rows of a packed sequence, each through a view that is as long as its sequence: what lies beyond it
// is zero, and is not stored
module {
  func.func @packed_rows_by_extent(%cu: index, %x: index, %y: index) attributes {grid = [3]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c10 = arith.constant 10 : index
    %c128 = arith.constant 128 : index
    %pid = ktdp.get_compute_tile_id : index
    %cv = ktdp.construct_memory_view %cu, sizes: [4], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4xi32>
    %xall = ktdp.construct_memory_view %x, sizes: [10, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 9 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<10x64xf16>
    %yall = ktdp.construct_memory_view %y, sizes: [10, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 9 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<10x64xf16>
    %next = arith.addi %pid, %c1 : index
    %lo_v_t = ktdp.construct_access_tile %cv[%pid] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<4xi32> -> !ktdp.access_tile<1xindex>
    %lo_v = ktdp.load %lo_v_t : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %lo_i = tensor.extract %lo_v[%c0] : tensor<1xi32>
    %lo = arith.index_cast %lo_i : i32 to index
    %hi_v_t = ktdp.construct_access_tile %cv[%next] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<4xi32> -> !ktdp.access_tile<1xindex>
    %hi_v = ktdp.load %hi_v_t : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %hi_i = tensor.extract %hi_v[%c0] : tensor<1xi32>
    %hi = arith.index_cast %hi_i : i32 to index
    %n0 = arith.subi %hi, %lo : index
    %n = arith.minsi %n0, %c10 : index
    %o = arith.muli %lo, %c128 : index
    %xp = arith.addi %x, %o : index
    %yp = arith.addi %y, %o : index
    %xv = ktdp.construct_memory_view %xp, sizes: [%n, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1)[s0] : (d0 >= 0, s0 - d0 - 1 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<?x64xf16>
    %yv = ktdp.construct_memory_view %yp, sizes: [%n, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1)[s0] : (d0 >= 0, s0 - d0 - 1 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<?x64xf16>
    scf.for %i = %c0 to %n step %c4 {
      %b_t = ktdp.construct_access_tile %xv[%i, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<?x64xf16> -> !ktdp.access_tile<4x64xindex>
      %b = ktdp.load %b_t : !ktdp.access_tile<4x64xindex> -> tensor<4x64xf16>
      %e = math.exp %b : tensor<4x64xf16>
      %at_4 = ktdp.construct_access_tile %yv[%i, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<?x64xf16> -> !ktdp.access_tile<4x64xindex>
      ktdp.store %e, %at_4 : tensor<4x64xf16>, !ktdp.access_tile<4x64xindex>
    }
    return
  }
}
