// Row i of a packed sequence gets the sum of its rows up to i: the inner loop ends with the outer one
module {
  func.func @prefix_sums_ragged(%cu: index, %x: index, %y: index) attributes {grid = [3]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %pid = ktdp.get_compute_tile_id : index
    %z = arith.constant dense<0.000000e+00> : tensor<1x64xf32>
    %cv = ktdp.construct_memory_view %cu, sizes: [4], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4xi32>
    %xv = ktdp.construct_memory_view %x, sizes: [8, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<8x64xf32>
    %yv = ktdp.construct_memory_view %y, sizes: [8, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<8x64xf32>
    %next = arith.addi %pid, %c1 : index
    %lo_v_t = ktdp.construct_access_tile %cv[%pid] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<4xi32> -> !ktdp.access_tile<1xindex>
    %lo_v = ktdp.load %lo_v_t : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %lo_i = tensor.extract %lo_v[%c0] : tensor<1xi32>
    %lo = arith.index_cast %lo_i : i32 to index
    %hi_v_t = ktdp.construct_access_tile %cv[%next] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<4xi32> -> !ktdp.access_tile<1xindex>
    %hi_v = ktdp.load %hi_v_t : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %hi_i = tensor.extract %hi_v[%c0] : tensor<1xi32>
    %hi = arith.index_cast %hi_i : i32 to index
    scf.for %i = %lo to %hi step %c1 {
      %end = arith.addi %i, %c1 : index
      %s = scf.for %j = %lo to %end step %c1 iter_args(%acc = %z) -> (tensor<1x64xf32>) {
        %row_t = ktdp.construct_access_tile %xv[%j, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<8x64xf32> -> !ktdp.access_tile<1x64xindex>
        %row = ktdp.load %row_t : !ktdp.access_tile<1x64xindex> -> tensor<1x64xf32>
        %n = arith.addf %acc, %row : tensor<1x64xf32>
        scf.yield %n : tensor<1x64xf32>
      }
      %at_4 = ktdp.construct_access_tile %yv[%i, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<8x64xf32> -> !ktdp.access_tile<1x64xindex>
      ktdp.store %s, %at_4 : tensor<1x64xf32>, !ktdp.access_tile<1x64xindex>
    }
    return
  }
}
