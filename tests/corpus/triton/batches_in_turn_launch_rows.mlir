// Products of rows known at launch, a batch at a time: a dimension of one is dropped, and added again, beside the rows.
#rows = affine_set<(d0, d1, d2)[s0] : (d0 >= 0, -d0 >= 0, d1 >= 0, -d1 + s0 - 1 >= 0, d2 >= 0, -d2 + 63 >= 0)>
#sums = affine_set<(d0, d1, d2)[s0] : (d0 >= 0, -d0 >= 0, d1 >= 0, -d1 + s0 - 1 >= 0, d2 >= 0, -d2 + 79 >= 0)>
#same = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
module {
  func.func @batches_in_turn_launch_rows(%x: index, %w: index, %y: index, %m: index, %q: index) attributes {grid = [1]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %xv = ktdp.construct_memory_view %x, sizes: [3, 80, 64], strides: [5120, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 79 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<3x80x64xf16>
    %wv = ktdp.construct_memory_view %w, sizes: [64, 80], strides: [80, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 79 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<64x80xf16>
    %yv = ktdp.construct_memory_view %y, sizes: [3, 80, 80], strides: [6400, 80, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 79 >= 0, d2 >= 0, -d2 + 79 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<3x80x80xf16>
    %wt = ktdp.construct_access_tile %wv[%c0, %c0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 79 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<64x80xf16> -> !ktdp.access_tile<64x80xindex>
    %b = ktdp.load %wt : !ktdp.access_tile<64x80xindex> -> tensor<64x80xf16>
    %f0 = arith.constant 0.0 : f32
    scf.for %i = %c0 to %q step %c1 {
      %xt = ktdp.construct_access_tile %xv[%i, %c0, %c0] symbols(%m) {access_tile_set = #rows, access_tile_order = #same} : memref<3x80x64xf16> -> !ktdp.access_tile<1x?x64xindex>
      %x3 = ktdp.load %xt : !ktdp.access_tile<1x?x64xindex> -> tensor<1x?x64xf16>
      %a = tensor.collapse_shape %x3 [[0, 1], [2]] : tensor<1x?x64xf16> into tensor<?x64xf16>
      %e = tensor.empty(%m) : tensor<?x80xf32>
      %z = linalg.fill ins(%f0 : f32) outs(%e : tensor<?x80xf32>) -> tensor<?x80xf32>
      %p = linalg.matmul ins(%a, %b : tensor<?x64xf16>, tensor<64x80xf16>) outs(%z : tensor<?x80xf32>) -> tensor<?x80xf32>
      %o = arith.truncf %p : tensor<?x80xf32> to tensor<?x80xf16>
      %o3 = tensor.expand_shape %o [[0, 1], [2]] output_shape [1, %m, 80] : tensor<?x80xf16> into tensor<1x?x80xf16>
      %yt = ktdp.construct_access_tile %yv[%i, %c0, %c0] symbols(%m) {access_tile_set = #sums, access_tile_order = #same} : memref<3x80x80xf16> -> !ktdp.access_tile<1x?x80xindex>
      ktdp.store %o3, %yt : tensor<1x?x80xf16>, !ktdp.access_tile<1x?x80xindex>
    }
    return
  }
}
