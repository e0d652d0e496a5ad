// A product with rows known at launch and no bound; the tiles share the columns.
module {
  func.func @matmul_launch_rows(%a: index, %b: index, %c: index, %bias: index, %r: index, %m: index) attributes {grid = [2]} {
    %pid = ktdp.get_compute_tile_id : index
    %z = arith.constant 0 : index
    %tn = arith.constant 48 : index
    %n0 = arith.muli %pid, %tn : index
    %av = ktdp.construct_memory_view %a, sizes: [%m, 136], strides: [136, 1] {coordinate_set = affine_set<(d0, d1)[s0] : (d0 >= 0, -d0 + s0 - 1 >= 0, d1 >= 0, -d1 + 135 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<?x136xf16>
    %bv = ktdp.construct_memory_view %b, sizes: [136, 96], strides: [96, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 135 >= 0, d1 >= 0, -d1 + 95 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<136x96xf16>
    %cv = ktdp.construct_memory_view %c, sizes: [%m, 96], strides: [96, 1] {coordinate_set = affine_set<(d0, d1)[s0] : (d0 >= 0, -d0 + s0 - 1 >= 0, d1 >= 0, -d1 + 95 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<?x96xf16>
    %at_t = ktdp.construct_access_tile %av[%z, %z] symbols(%m) {access_tile_set = affine_set<(d0, d1)[s0] : (d0 >= 0, -d0 + s0 - 1 >= 0, d1 >= 0, -d1 + 135 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<?x136xf16> -> !ktdp.access_tile<?x136xindex>
    %at = ktdp.load %at_t : !ktdp.access_tile<?x136xindex> -> tensor<?x136xf16>
    %bt_t = ktdp.construct_access_tile %bv[%z, %n0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 135 >= 0, d1 >= 0, -d1 + 47 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<136x96xf16> -> !ktdp.access_tile<136x48xindex>
    %bt = ktdp.load %bt_t : !ktdp.access_tile<136x48xindex> -> tensor<136x48xf16>
    %f0 = arith.constant 0.0 : f32
    %em = tensor.empty(%m) : tensor<?x48xf32>
    %zero = linalg.fill ins(%f0 : f32) outs(%em : tensor<?x48xf32>) -> tensor<?x48xf32>
    %y = linalg.matmul ins(%at, %bt : tensor<?x136xf16>, tensor<136x48xf16>) outs(%zero : tensor<?x48xf32>) -> tensor<?x48xf32>
    %bw = ktdp.construct_memory_view %bias, sizes: [96], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 95 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<96xf16>
    %bw_t = ktdp.construct_access_tile %bw[%n0] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 47 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<96xf16> -> !ktdp.access_tile<48xindex>
    %bl = ktdp.load %bw_t : !ktdp.access_tile<48xindex> -> tensor<48xf16>
    %bx = arith.extf %bl : tensor<48xf16> to tensor<48xf32>
    %be = tensor.empty(%m) : tensor<?x48xf32>
    %bb = linalg.broadcast ins(%bx : tensor<48xf32>) outs(%be : tensor<?x48xf32>) dimensions = [0]
    %s1 = arith.addf %y, %bb : tensor<?x48xf32>
    %o = arith.truncf %s1 : tensor<?x48xf32> to tensor<?x48xf16>
    %ot = ktdp.construct_access_tile %cv[%z, %n0] symbols(%m) {access_tile_set = affine_set<(d0, d1)[s0] : (d0 >= 0, -d0 + s0 - 1 >= 0, d1 >= 0, -d1 + 47 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<?x96xf16> -> !ktdp.access_tile<?x48xindex>
    ktdp.store %o, %ot : tensor<?x48xf16>, !ktdp.access_tile<?x48xindex>
    return
  }
}
