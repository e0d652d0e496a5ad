// Linear layer over as many tokens as a launch has, two tiles with half of them each: bias, tanh, residual.
module {
  func.func @linear_runtime_rows(%n: !ktdp.runtime_arg<index, granularity=2, upperbound=90>, %a: index, %b: index, %c: index, %bias: index, %r: index) attributes {grid = [2]} {
    %pid = ktdp.get_compute_tile_id : index
    %z = arith.constant 0 : index
    %m = ktdp.runtime_arg_extract value from %n : <index, granularity=2, upperbound=90> -> index
    %g = arith.constant 2 : index
    %e = arith.divui %m, %g : index
    %m0 = arith.muli %pid, %e : index
    %av = ktdp.construct_memory_view %a, sizes: [%m, 48], strides: [48, 1] {coordinate_set = affine_set<(d0, d1)[s0] : (d0 >= 0, -d0 + s0 - 1 >= 0, d1 >= 0, -d1 + 47 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<?x48xf16>
    %bv = ktdp.construct_memory_view %b, sizes: [64, 48], strides: [48, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 47 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<64x48xf16>
    %cv = ktdp.construct_memory_view %c, sizes: [%m, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1)[s0] : (d0 >= 0, -d0 + s0 - 1 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<?x64xf16>
    %at_t = ktdp.construct_access_tile %av[%m0, %z] symbols(%e) {access_tile_set = affine_set<(d0, d1)[s0] : (d0 >= 0, -d0 + s0 - 1 >= 0, d1 >= 0, -d1 + 47 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<?x48xf16> -> !ktdp.access_tile<?x48xindex>
    %at = ktdp.load %at_t : !ktdp.access_tile<?x48xindex> -> tensor<?x48xf16>
    %bt_t = ktdp.construct_access_tile %bv[%z, %z] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 47 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<64x48xf16> -> !ktdp.access_tile<64x48xindex>
    %bt = ktdp.load %bt_t : !ktdp.access_tile<64x48xindex> -> tensor<64x48xf16>
    %f0 = arith.constant 0.0 : f32
    %em = tensor.empty(%e) : tensor<?x64xf32>
    %zero = linalg.fill ins(%f0 : f32) outs(%em : tensor<?x64xf32>) -> tensor<?x64xf32>
    %y = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%at, %bt : tensor<?x48xf16>, tensor<64x48xf16>) outs(%zero : tensor<?x64xf32>) -> tensor<?x64xf32>
    %bw = ktdp.construct_memory_view %bias, sizes: [64], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<64xf16>
    %bw_t = ktdp.construct_access_tile %bw[%z] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 63 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<64xf16> -> !ktdp.access_tile<64xindex>
    %bl = ktdp.load %bw_t : !ktdp.access_tile<64xindex> -> tensor<64xf16>
    %bx = arith.extf %bl : tensor<64xf16> to tensor<64xf32>
    %be = tensor.empty(%e) : tensor<?x64xf32>
    %bb = linalg.broadcast ins(%bx : tensor<64xf32>) outs(%be : tensor<?x64xf32>) dimensions = [0]
    %s1 = arith.addf %y, %bb : tensor<?x64xf32>
    %rv = ktdp.construct_memory_view %r, sizes: [%m, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1)[s0] : (d0 >= 0, -d0 + s0 - 1 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<?x64xf16>
    %rt = ktdp.construct_access_tile %rv[%m0, %z] symbols(%e) {access_tile_set = affine_set<(d0, d1)[s0] : (d0 >= 0, -d0 + s0 - 1 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<?x64xf16> -> !ktdp.access_tile<?x64xindex>
    %rl = ktdp.load %rt : !ktdp.access_tile<?x64xindex> -> tensor<?x64xf16>
    %rx = arith.extf %rl : tensor<?x64xf16> to tensor<?x64xf32>
    %s2 = arith.addf %s1, %rx : tensor<?x64xf32>
    %s3 = math.tanh %s2 : tensor<?x64xf32>
    %o = arith.truncf %s3 : tensor<?x64xf32> to tensor<?x64xf16>
    %ot = ktdp.construct_access_tile %cv[%m0, %z] symbols(%e) {access_tile_set = affine_set<(d0, d1)[s0] : (d0 >= 0, -d0 + s0 - 1 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<?x64xf16> -> !ktdp.access_tile<?x64xindex>
    ktdp.store %o, %ot : tensor<?x64xf16>, !ktdp.access_tile<?x64xindex>
    return
  }
}
