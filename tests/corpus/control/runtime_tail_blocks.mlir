// Extents from arguments, column blocks of 32 in a loop, the last one over the end
module {
  func.func @runtime_tail_blocks(%x: index, %y: index, %m: index, %n: index) attributes {grid = [4]} {
    %cst_0 = arith.constant 3 : index
    %cst_1 = arith.constant 0 : index
    %cst_2 = arith.constant 32 : index
    %1 = ktdp.get_compute_tile_id : index
    %2 = ktdp.construct_memory_view %x, sizes: [%m, %n], strides: [96, 1] {coordinate_set = affine_set<(d0, d1)[s0, s1] : (d0 >= 0, -d0 + s0 - 1 >= 0, d1 >= 0, -d1 + s1 - 1 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<?x?xf32>
    %3 = ktdp.construct_memory_view %y, sizes: [%m, %n], strides: [96, 1] {coordinate_set = affine_set<(d0, d1)[s0, s1] : (d0 >= 0, -d0 + s0 - 1 >= 0, d1 >= 0, -d1 + s1 - 1 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<?x?xf32>
    %4 = arith.muli %1, %cst_0 : index
    scf.for %i5 = %cst_1 to %n step %cst_2 {
      %6 = ktdp.construct_access_tile %2[%4, %i5] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<?x?xf32> -> !ktdp.access_tile<3x32xindex>
      %7 = ktdp.load %6 : !ktdp.access_tile<3x32xindex> -> tensor<3x32xf32>
      %8 = math.tanh %7 : tensor<3x32xf32>
      %9 = ktdp.construct_access_tile %3[%4, %i5] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<?x?xf32> -> !ktdp.access_tile<3x32xindex>
      ktdp.store %8, %9 : tensor<3x32xf32>, !ktdp.access_tile<3x32xindex>
    }
    return
  }
}
