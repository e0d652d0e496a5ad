// Cross entropy: log-sum-exp of a row minus the logit at the label
module {
  func.func @cross_entropy(%logits: index, %labels: index, %loss: index) attributes {grid = [8]} {
    %ninf = arith.constant dense<0xFF800000> : tensor<1xf32>
    %zero = arith.constant dense<0.000000e+00> : tensor<1xf32>
    %zt = arith.constant dense<0.000000e+00> : tensor<1x300xf32>
    %pid = ktdp.get_compute_tile_id : index
    %x = ktdp.construct_memory_view %logits, sizes: [8, 300], strides: [300, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 299 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<8x300xf16>
    %lab = ktdp.construct_memory_view %labels, sizes: [8], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 7 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<8xi64>
    %o = ktdp.construct_memory_view %loss, sizes: [8], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 7 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<8xf32>
    %at20 = ktdp.construct_access_tile %x[%pid, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 299 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<8x300xf16> -> !ktdp.access_tile<1x300xindex>
      %row = ktdp.load %at20 : !ktdp.access_tile<1x300xindex> -> tensor<1x300xf16>
    %at21 = ktdp.construct_access_tile %lab[%pid] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<8xi64> -> !ktdp.access_tile<1xindex>
      %l = ktdp.load %at21 : !ktdp.access_tile<1xindex> -> tensor<1xi64>
    %f = arith.extf %row : tensor<1x300xf16> to tensor<1x300xf32>
    %m = linalg.reduce { arith.maximumf } ins(%f : tensor<1x300xf32>) outs(%ninf : tensor<1xf32>) dimensions = [1]
    %be22 = tensor.empty() : tensor<1x300xf32>
      %mb = linalg.broadcast ins(%m : tensor<1xf32>) outs(%be22 : tensor<1x300xf32>) dimensions = [1]
    %s = arith.subf %f, %mb : tensor<1x300xf32>
    %e = math.exp %s : tensor<1x300xf32>
    %d = linalg.reduce { arith.addf } ins(%e : tensor<1x300xf32>) outs(%zero : tensor<1xf32>) dimensions = [1]
    %lg = math.log %d : tensor<1xf32>
    %lse = arith.addf %lg, %m : tensor<1xf32>
    %be23 = tensor.empty() : tensor<1x300xi64>
      %lb = linalg.broadcast ins(%l : tensor<1xi64>) outs(%be23 : tensor<1x300xi64>) dimensions = [1]
    %ie = tensor.empty() : tensor<1x300xi64>
    %ids = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%ie : tensor<1x300xi64>) {
    ^bb0(%q: i64):
    %ix = linalg.index 1 : index
    %iv = arith.index_cast %ix : index to i64
    linalg.yield %iv : i64
    } -> tensor<1x300xi64>
    %hit = arith.cmpi eq, %ids, %lb : tensor<1x300xi64>
    %pick = arith.select %hit, %f, %zt : tensor<1x300xi1>, tensor<1x300xf32>
    %tg = linalg.reduce { arith.addf } ins(%pick : tensor<1x300xf32>) outs(%zero : tensor<1xf32>) dimensions = [1]
    %out = arith.subf %lse, %tg : tensor<1xf32>
    %at24 = ktdp.construct_access_tile %o[%pid] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<8xf32> -> !ktdp.access_tile<1xindex>
      ktdp.store %out, %at24 : tensor<1xf32>, !ktdp.access_tile<1xindex>
    return
  }
}
