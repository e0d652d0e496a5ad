module {
  func.func @log_softmax_columns(%x_ptr: index, %y_ptr: index) attributes {grid = [5]} {
    %c20 = arith.constant 20 : index
    %pid = ktdp.get_compute_tile_id : index
    %c = arith.muli %pid, %c20 : index
    %z = arith.constant dense<0.0> : tensor<20xf32>
    %ninf = arith.constant dense<0xFF800000> : tensor<20xf32>
    %x = ktdp.construct_memory_view %x_ptr, sizes: [33, 100], strides: [100, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 32 >= 0, d1 >= 0, -d1 + 99 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<33x100xf32>
    %y = ktdp.construct_memory_view %y_ptr, sizes: [33, 100], strides: [100, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 32 >= 0, d1 >= 0, -d1 + 99 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<33x100xf32>
    %at17 = ktdp.construct_access_tile %x[0, %c] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 32 >= 0, d1 >= 0, -d1 + 19 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<33x100xf32> -> !ktdp.access_tile<33x20xindex>
      %a = ktdp.load %at17 : !ktdp.access_tile<33x20xindex> -> tensor<33x20xf32>
    %m = linalg.reduce { arith.maximumf } ins(%a : tensor<33x20xf32>) outs(%ninf : tensor<20xf32>) dimensions = [0]
    %be18 = tensor.empty() : tensor<33x20xf32>
      %mb = linalg.broadcast ins(%m : tensor<20xf32>) outs(%be18 : tensor<33x20xf32>) dimensions = [0]
    %s = arith.subf %a, %mb : tensor<33x20xf32>
    %e = math.exp %s : tensor<33x20xf32>
    %d = linalg.reduce { arith.addf } ins(%e : tensor<33x20xf32>) outs(%z : tensor<20xf32>) dimensions = [0]
    %l = math.log %d : tensor<20xf32>
    %be19 = tensor.empty() : tensor<33x20xf32>
      %lb = linalg.broadcast ins(%l : tensor<20xf32>) outs(%be19 : tensor<33x20xf32>) dimensions = [0]
    %o = arith.subf %s, %lb : tensor<33x20xf32>
    %at20 = ktdp.construct_access_tile %y[0, %c] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 32 >= 0, d1 >= 0, -d1 + 19 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<33x100xf32> -> !ktdp.access_tile<33x20xindex>
      ktdp.store %o, %at20 : tensor<33x20xf32>, !ktdp.access_tile<33x20xindex>
    return
  }
}
