// Integer functions: absi, ctlz, cttz, ctpop, ipowi, shifts, bit operations, remainders.
module {
  func.func @integer_ops(%x: index, %y: index, %out: index) attributes {grid = [2]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [4, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<4x64xi32>
    %t1 = ktdp.construct_access_tile %xv[%me * 2, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<4x64xi32> -> !ktdp.access_tile<2x64xindex>
    %d2 = ktdp.load %t1 : <2x64xindex> -> tensor<2x64xi32>
    %yv = ktdp.construct_memory_view %y, sizes: [4, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<4x64xi32>
    %t3 = ktdp.construct_access_tile %yv[%me * 2, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<4x64xi32> -> !ktdp.access_tile<2x64xindex>
    %d4 = ktdp.load %t3 : <2x64xindex> -> tensor<2x64xi32>
    %v5 = arith.constant dense<1> : tensor<2x64xi32>
    %v6 = arith.ori %d4, %v5 : tensor<2x64xi32>
    %v7 = arith.addi %d2, %v6 : tensor<2x64xi32>
    %v8 = arith.xori %d2, %v7 : tensor<2x64xi32>
    %v9 = arith.subi %d2, %v6 : tensor<2x64xi32>
    %v10 = arith.xori %v8, %v9 : tensor<2x64xi32>
    %v11 = arith.muli %d2, %v6 : tensor<2x64xi32>
    %v12 = arith.xori %v10, %v11 : tensor<2x64xi32>
    %v13 = arith.divsi %d2, %v6 : tensor<2x64xi32>
    %v14 = arith.xori %v12, %v13 : tensor<2x64xi32>
    %v15 = arith.divui %d2, %v6 : tensor<2x64xi32>
    %v16 = arith.xori %v14, %v15 : tensor<2x64xi32>
    %v17 = arith.remsi %d2, %v6 : tensor<2x64xi32>
    %v18 = arith.xori %v16, %v17 : tensor<2x64xi32>
    %v19 = arith.remui %d2, %v6 : tensor<2x64xi32>
    %v20 = arith.xori %v18, %v19 : tensor<2x64xi32>
    %v21 = arith.floordivsi %d2, %v6 : tensor<2x64xi32>
    %v22 = arith.xori %v20, %v21 : tensor<2x64xi32>
    %v23 = arith.ceildivsi %d2, %v6 : tensor<2x64xi32>
    %v24 = arith.xori %v22, %v23 : tensor<2x64xi32>
    %v25 = arith.ceildivui %d2, %v6 : tensor<2x64xi32>
    %v26 = arith.xori %v24, %v25 : tensor<2x64xi32>
    %v27 = arith.minsi %d2, %v6 : tensor<2x64xi32>
    %v28 = arith.xori %v26, %v27 : tensor<2x64xi32>
    %v29 = arith.maxsi %d2, %v6 : tensor<2x64xi32>
    %v30 = arith.xori %v28, %v29 : tensor<2x64xi32>
    %v31 = arith.minui %d2, %v6 : tensor<2x64xi32>
    %v32 = arith.xori %v30, %v31 : tensor<2x64xi32>
    %v33 = arith.maxui %d2, %v6 : tensor<2x64xi32>
    %v34 = arith.xori %v32, %v33 : tensor<2x64xi32>
    %v35 = arith.andi %d2, %v6 : tensor<2x64xi32>
    %v36 = arith.xori %v34, %v35 : tensor<2x64xi32>
    %v37 = arith.ori %d2, %v6 : tensor<2x64xi32>
    %v38 = arith.xori %v36, %v37 : tensor<2x64xi32>
    %v39 = arith.xori %d2, %v6 : tensor<2x64xi32>
    %v40 = arith.xori %v38, %v39 : tensor<2x64xi32>
    %v41 = arith.shli %d2, %v6 : tensor<2x64xi32>
    %v42 = arith.xori %v40, %v41 : tensor<2x64xi32>
    %v43 = arith.shrsi %d2, %v6 : tensor<2x64xi32>
    %v44 = arith.xori %v42, %v43 : tensor<2x64xi32>
    %v45 = arith.shrui %d2, %v6 : tensor<2x64xi32>
    %v46 = arith.xori %v44, %v45 : tensor<2x64xi32>
    %v47 = math.absi %v46 : tensor<2x64xi32>
    %v48 = arith.addi %v46, %v47 : tensor<2x64xi32>
    %v49 = math.ctlz %v48 : tensor<2x64xi32>
    %v50 = arith.addi %v48, %v49 : tensor<2x64xi32>
    %v51 = math.cttz %v50 : tensor<2x64xi32>
    %v52 = arith.addi %v50, %v51 : tensor<2x64xi32>
    %v53 = math.ctpop %v52 : tensor<2x64xi32>
    %v54 = arith.addi %v52, %v53 : tensor<2x64xi32>
    %outv = ktdp.construct_memory_view %out, sizes: [4, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<4x64xi32>
    %t55 = ktdp.construct_access_tile %outv[%me * 2, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<4x64xi32> -> !ktdp.access_tile<2x64xindex>
    ktdp.store %v54, %t55 : tensor<2x64xi32>, <2x64xindex>
    return
  }
}
