// Cumulative sum, a column at a time
module {
  func.func @cumsum_loop(%x_ptr: index loc("k.py":1:0), %y_ptr: index loc("k.py":1:0)) attributes {grid = [4]} {
    %pid_1 = ktdp.get_compute_tile_id : index loc(#loc1)
    %view_2 = ktdp.construct_memory_view %x_ptr, sizes: [16, 48], strides: [48, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 47 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<16x48xf32> loc(#loc2)
    %view_3 = ktdp.construct_memory_view %y_ptr, sizes: [16, 48], strides: [48, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 47 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<16x48xf32> loc(#loc3)
    %cst_4 = arith.constant 4 : index loc(#loc4)
    %muli_5 = arith.muli %pid_1, %cst_4 : index loc(#loc5)
    %cst_6 = arith.constant dense<0.000000e+00> : tensor<4x1xf32> loc(#loc6)
    %cst_7 = arith.constant 0 : index loc(#loc7)
    %cst_8 = arith.constant 48 : index loc(#loc8)
    %cst_9 = arith.constant 1 : index loc(#loc9)
    %r10 = scf.for %i10 = %cst_7 to %cst_8 step %cst_9 iter_args(%it10_0 = %cst_6) -> (tensor<4x1xf32>) {
      %construct_access_tile_11 = ktdp.construct_access_tile %view_2[%muli_5, %i10] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 0 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<16x48xf32> -> !ktdp.access_tile<4x1xindex> loc(#loc10)
      %load_12 = ktdp.load %construct_access_tile_11 : <4x1xindex> -> tensor<4x1xf32> loc(#loc11)
      %addf_13 = arith.addf %it10_0, %load_12 : tensor<4x1xf32> loc(#loc12)
      %construct_access_tile_14 = ktdp.construct_access_tile %view_3[%muli_5, %i10] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 0 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<16x48xf32> -> !ktdp.access_tile<4x1xindex> loc(#loc13)
      ktdp.store %addf_13, %construct_access_tile_14 : tensor<4x1xf32>, <4x1xindex> loc(#loc14)
      scf.yield %addf_13 : tensor<4x1xf32> loc(#loc15)
    }
    return
  }
}
#loc1 = loc("k.py":1:4)
#loc2 = loc("k.py":2:4)
#loc3 = loc("k.py":3:4)
#loc4 = loc("k.py":4:4)
#loc5 = loc("k.py":5:4)
#loc6 = loc("k.py":6:4)
#loc7 = loc("k.py":7:4)
#loc8 = loc("k.py":8:4)
#loc9 = loc("k.py":9:4)
#loc10 = loc("k.py":10:4)
#loc11 = loc("k.py":11:4)
#loc12 = loc("k.py":12:4)
#loc13 = loc("k.py":13:4)
#loc14 = loc("k.py":14:4)
#loc15 = loc("k.py":15:4)
