// Products of a batch with rows known at launch: on a small scratchpad the sums of a tile must fit beside its rows.
module {
  func.func @batch_matmul_launch_rows(%a: index, %b: index, %c: index, %bias: index, %r: index, %m: index) attributes {grid = [1]} {
    %pid = ktdp.get_compute_tile_id : index
    %z = arith.constant 0 : index
    %av = ktdp.construct_memory_view %a, sizes: [3, %m, 64], strides: [64, 192, 1] {coordinate_set = affine_set<(d0, d1, d2)[s0] : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + s0 - 1 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<3x?x64xf16>
    %bv = ktdp.construct_memory_view %b, sizes: [3, 64, 128], strides: [8192, 128, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 63 >= 0, d2 >= 0, -d2 + 127 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<3x64x128xf16>
    %cv = ktdp.construct_memory_view %c, sizes: [3, %m, 128], strides: [128, 384, 1] {coordinate_set = affine_set<(d0, d1, d2)[s0] : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + s0 - 1 >= 0, d2 >= 0, -d2 + 127 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<3x?x128xf16>
    %at_t = ktdp.construct_access_tile %av[%z, %z, %z] symbols(%m) {access_tile_set = affine_set<(d0, d1, d2)[s0] : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + s0 - 1 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<3x?x64xf16> -> !ktdp.access_tile<3x?x64xindex>
    %at = ktdp.load %at_t : !ktdp.access_tile<3x?x64xindex> -> tensor<3x?x64xf16>
    %bt_t = ktdp.construct_access_tile %bv[%z, %z, %z] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 63 >= 0, d2 >= 0, -d2 + 127 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<3x64x128xf16> -> !ktdp.access_tile<3x64x128xindex>
    %bt = ktdp.load %bt_t : !ktdp.access_tile<3x64x128xindex> -> tensor<3x64x128xf16>
    %f0 = arith.constant 0.0 : f32
    %em = tensor.empty(%m) : tensor<3x?x128xf32>
    %zero = linalg.fill ins(%f0 : f32) outs(%em : tensor<3x?x128xf32>) -> tensor<3x?x128xf32>
    %y = linalg.batch_matmul ins(%at, %bt : tensor<3x?x64xf16>, tensor<3x64x128xf16>) outs(%zero : tensor<3x?x128xf32>) -> tensor<3x?x128xf32>
    %s3 = math.tanh %y : tensor<3x?x128xf32>
    %o = arith.truncf %s3 : tensor<3x?x128xf32> to tensor<3x?x128xf16>
    %ot = ktdp.construct_access_tile %cv[%z, %z, %z] symbols(%m) {access_tile_set = affine_set<(d0, d1, d2)[s0] : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + s0 - 1 >= 0, d2 >= 0, -d2 + 127 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<3x?x128xf16> -> !ktdp.access_tile<3x?x128xindex>
    ktdp.store %o, %ot : tensor<3x?x128xf16>, !ktdp.access_tile<3x?x128xindex>
    return
  }
}
