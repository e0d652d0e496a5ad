module {
  func.func @top2_rows(%x_ptr: index, %v_ptr: index, %i_ptr: index) attributes {grid = [3]} {
    %c5 = arith.constant 5 : index
    %pid = ktdp.get_compute_tile_id : index
    %r = arith.muli %pid, %c5 : index
    %ninf = arith.constant dense<0xFF800000> : tensor<5xf32>
    %nfull = arith.constant dense<0xFF800000> : tensor<5x60xf32>
    %big = arith.constant dense<1000000> : tensor<5xi32>
    %bigf = arith.constant dense<1000000> : tensor<5x60xi32>
    %x = ktdp.construct_memory_view %x_ptr, sizes: [15, 60], strides: [60, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 14 >= 0, d1 >= 0, -d1 + 59 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<15x60xf32>
    %v = ktdp.construct_memory_view %v_ptr, sizes: [15, 2], strides: [2, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 14 >= 0, d1 >= 0, -d1 + 1 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<15x2xf32>
    %iv = ktdp.construct_memory_view %i_ptr, sizes: [15, 2], strides: [2, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 14 >= 0, d1 >= 0, -d1 + 1 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<15x2xi32>
    %at21 = ktdp.construct_access_tile %x[%r, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 4 >= 0, d1 >= 0, -d1 + 59 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<15x60xf32> -> !ktdp.access_tile<5x60xindex>
      %a = ktdp.load %at21 : !ktdp.access_tile<5x60xindex> -> tensor<5x60xf32>
    %ie22 = tensor.empty() : tensor<5x60xi32>
    %ids = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%ie22 : tensor<5x60xi32>) {
    ^bb0(%q: i32):
    %ix = linalg.index 1 : index
    %iw = arith.index_cast %ix : index to i32
    linalg.yield %iw : i32
    } -> tensor<5x60xi32>
    %m1 = linalg.reduce { arith.maximumf } ins(%a : tensor<5x60xf32>) outs(%ninf : tensor<5xf32>) dimensions = [1]
    %be23 = tensor.empty() : tensor<5x60xf32>
      %mb = linalg.broadcast ins(%m1 : tensor<5xf32>) outs(%be23 : tensor<5x60xf32>) dimensions = [1]
    %eq = arith.cmpf oeq, %a, %mb : tensor<5x60xf32>
    %cand = arith.select %eq, %ids, %bigf : tensor<5x60xi1>, tensor<5x60xi32>
    %i1x = linalg.reduce { arith.minsi } ins(%cand : tensor<5x60xi32>) outs(%big : tensor<5xi32>) dimensions = [1]
    %be24 = tensor.empty() : tensor<5x60xi32>
      %ib = linalg.broadcast ins(%i1x : tensor<5xi32>) outs(%be24 : tensor<5x60xi32>) dimensions = [1]
    %first = arith.cmpi eq, %ids, %ib : tensor<5x60xi32>
    %a2 = arith.select %first, %nfull, %a : tensor<5x60xi1>, tensor<5x60xf32>
    %m2 = linalg.reduce { arith.maximumf } ins(%a2 : tensor<5x60xf32>) outs(%ninf : tensor<5xf32>) dimensions = [1]
    %be25 = tensor.empty() : tensor<5x60xf32>
      %mb2 = linalg.broadcast ins(%m2 : tensor<5xf32>) outs(%be25 : tensor<5x60xf32>) dimensions = [1]
    %eq2 = arith.cmpf oeq, %a2, %mb2 : tensor<5x60xf32>
    %cand2 = arith.select %eq2, %ids, %bigf : tensor<5x60xi1>, tensor<5x60xi32>
    %i2x = linalg.reduce { arith.minsi } ins(%cand2 : tensor<5x60xi32>) outs(%big : tensor<5xi32>) dimensions = [1]
    %e1 = tensor.expand_shape %m1 [[0, 1]] output_shape [5, 1] : tensor<5xf32> into tensor<5x1xf32>
    %e2 = tensor.expand_shape %m2 [[0, 1]] output_shape [5, 1] : tensor<5xf32> into tensor<5x1xf32>
    %j1 = tensor.expand_shape %i1x [[0, 1]] output_shape [5, 1] : tensor<5xi32> into tensor<5x1xi32>
    %j2 = tensor.expand_shape %i2x [[0, 1]] output_shape [5, 1] : tensor<5xi32> into tensor<5x1xi32>
    %at26 = ktdp.construct_access_tile %v[%r, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 4 >= 0, d1 >= 0, -d1 + 0 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<15x2xf32> -> !ktdp.access_tile<5x1xindex>
      ktdp.store %e1, %at26 : tensor<5x1xf32>, !ktdp.access_tile<5x1xindex>
    %at27 = ktdp.construct_access_tile %v[%r, 1] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 4 >= 0, d1 >= 0, -d1 + 0 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<15x2xf32> -> !ktdp.access_tile<5x1xindex>
      ktdp.store %e2, %at27 : tensor<5x1xf32>, !ktdp.access_tile<5x1xindex>
    %at28 = ktdp.construct_access_tile %iv[%r, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 4 >= 0, d1 >= 0, -d1 + 0 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<15x2xi32> -> !ktdp.access_tile<5x1xindex>
      ktdp.store %j1, %at28 : tensor<5x1xi32>, !ktdp.access_tile<5x1xindex>
    %at29 = ktdp.construct_access_tile %iv[%r, 1] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 4 >= 0, d1 >= 0, -d1 + 0 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<15x2xi32> -> !ktdp.access_tile<5x1xindex>
      ktdp.store %j2, %at29 : tensor<5x1xi32>, !ktdp.access_tile<5x1xindex>
    return
  }
}
