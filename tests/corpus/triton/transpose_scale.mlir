// A matrix transposed block by block
module {
  func.func @transpose_scale(%x_ptr: index, %y_ptr: index) attributes {grid = [3, 2]} {
    %c32 = arith.constant 32 : index
    %c48 = arith.constant 48 : index
    %k = arith.constant dense<5.000000e-01> : tensor<48x32xf32>
    %b0:2 = ktdp.get_compute_tile_id : index, index
    %i = arith.muli %b0#0, %c32 : index
    %j = arith.muli %b0#1, %c48 : index
    %x = ktdp.construct_memory_view %x_ptr, sizes: [96, 96], strides: [96, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 95 >= 0, d1 >= 0, -d1 + 95 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<96x96xf32>
    %y = ktdp.construct_memory_view %y_ptr, sizes: [96, 96], strides: [96, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 95 >= 0, d1 >= 0, -d1 + 95 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<96x96xf32>
    %at52 = ktdp.construct_access_tile %x[%i, %j] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 47 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<96x96xf32> -> !ktdp.access_tile<32x48xindex>
      %v = ktdp.load %at52 : !ktdp.access_tile<32x48xindex> -> tensor<32x48xf32>
    %e = tensor.empty() : tensor<48x32xf32>
    %t = linalg.transpose ins(%v : tensor<32x48xf32>) outs(%e : tensor<48x32xf32>) permutation = [1, 0]
    %u = arith.mulf %t, %k : tensor<48x32xf32>
    %at53 = ktdp.construct_access_tile %y[%j, %i] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 47 >= 0, d1 >= 0, -d1 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<96x96xf32> -> !ktdp.access_tile<48x32xindex>
      ktdp.store %u, %at53 : tensor<48x32xf32>, !ktdp.access_tile<48x32xindex>
    return
  }
}
