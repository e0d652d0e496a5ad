// The same without an upper bound of the rows: in pieces.
module {
  func.func @attention_open_rows(%q: index, %k: index, %v: index, %o: index, %m: index) attributes {grid = [1]} {
    %qv = ktdp.construct_memory_view %q, sizes: [%m, 64], strides: [64, 1] {coordinate_set = affine_set<(i, j)[s] : (i >= 0, -i + s - 1 >= 0, j >= 0, -j + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<?x64xf16>
    %kv = ktdp.construct_memory_view %k, sizes: [96, 64], strides: [64, 1] {coordinate_set = affine_set<(i, j) : (i >= 0, -i + 95 >= 0, j >= 0, -j + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<96x64xf16>
    %vv = ktdp.construct_memory_view %v, sizes: [96, 64], strides: [64, 1] {coordinate_set = affine_set<(i, j) : (i >= 0, -i + 95 >= 0, j >= 0, -j + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<96x64xf16>
    %ov = ktdp.construct_memory_view %o, sizes: [%m, 64], strides: [64, 1] {coordinate_set = affine_set<(i, j)[s] : (i >= 0, -i + s - 1 >= 0, j >= 0, -j + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<?x64xf16>
    %qt = ktdp.construct_access_tile %qv[0, 0] symbols(%m) {access_tile_set = affine_set<(i, j)[s] : (i >= 0, -i + s - 1 >= 0, j >= 0, -j + 63 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<?x64xf16> -> !ktdp.access_tile<?x64xindex>
    %ql = ktdp.load %qt : <?x64xindex> -> tensor<?x64xf16>
    %kt = ktdp.construct_access_tile %kv[0, 0] {access_tile_set = affine_set<(i, j) : (i >= 0, -i + 95 >= 0, j >= 0, -j + 63 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<96x64xf16> -> !ktdp.access_tile<96x64xindex>
    %kl = ktdp.load %kt : <96x64xindex> -> tensor<96x64xf16>
    %vt = ktdp.construct_access_tile %vv[0, 0] {access_tile_set = affine_set<(i, j) : (i >= 0, -i + 95 >= 0, j >= 0, -j + 63 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<96x64xf16> -> !ktdp.access_tile<96x64xindex>
    %vl = ktdp.load %vt : <96x64xindex> -> tensor<96x64xf16>
    %f0 = arith.constant 0.0 : f32
    %ninf = arith.constant 0xFF800000 : f32
    %se = tensor.empty(%m) : tensor<?x96xf32>
    %sz = linalg.fill ins(%f0 : f32) outs(%se : tensor<?x96xf32>) -> tensor<?x96xf32>
    %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%ql, %kl : tensor<?x64xf16>, tensor<96x64xf16>) outs(%sz : tensor<?x96xf32>) -> tensor<?x96xf32>
    %re = tensor.empty(%m) : tensor<?xf32>
    %rn = linalg.fill ins(%ninf : f32) outs(%re : tensor<?xf32>) -> tensor<?xf32>
    %rm = linalg.reduce { arith.maximumf } ins(%s : tensor<?x96xf32>) outs(%rn : tensor<?xf32>) dimensions = [1]
    %rb = linalg.broadcast ins(%rm : tensor<?xf32>) outs(%se : tensor<?x96xf32>) dimensions = [1]
    %d = arith.subf %s, %rb : tensor<?x96xf32>
    %e = math.exp %d : tensor<?x96xf32>
    %rz = linalg.fill ins(%f0 : f32) outs(%re : tensor<?xf32>) -> tensor<?xf32>
    %rs = linalg.reduce { arith.addf } ins(%e : tensor<?x96xf32>) outs(%rz : tensor<?xf32>) dimensions = [1]
    %rsb = linalg.broadcast ins(%rs : tensor<?xf32>) outs(%se : tensor<?x96xf32>) dimensions = [1]
    %p = arith.divf %e, %rsb : tensor<?x96xf32>
    %ph = arith.truncf %p : tensor<?x96xf32> to tensor<?x96xf16>
    %oe = tensor.empty(%m) : tensor<?x64xf32>
    %oz = linalg.fill ins(%f0 : f32) outs(%oe : tensor<?x64xf32>) -> tensor<?x64xf32>
    %y = linalg.matmul ins(%ph, %vl : tensor<?x96xf16>, tensor<96x64xf16>) outs(%oz : tensor<?x64xf32>) -> tensor<?x64xf32>
    %yh = arith.truncf %y : tensor<?x64xf32> to tensor<?x64xf16>
    %ot = ktdp.construct_access_tile %ov[0, 0] symbols(%m) {access_tile_set = affine_set<(i, j)[s] : (i >= 0, -i + s - 1 >= 0, j >= 0, -j + 63 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<?x64xf16> -> !ktdp.access_tile<?x64xindex>
    ktdp.store %yh, %ot : tensor<?x64xf16>, <?x64xindex>
    return
  }
}
