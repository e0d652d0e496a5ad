// Maximum over overlapping windows of three, stride two, as a view with overlapping strides
module {
  func.func @max_pool_strided(%x_ptr: index, %y_ptr: index) attributes {grid = [4]} {
    %c4 = arith.constant 4 : index
    %ninf = arith.constant dense<0xFC00> : tensor<4x63xf16>
    %pid = ktdp.get_compute_tile_id : index
    %r = arith.muli %pid, %c4 : index
    %x = ktdp.construct_memory_view %x_ptr, sizes: [16, 63, 3], strides: [128, 2, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 62 >= 0, d2 >= 0, -d2 + 2 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<16x63x3xf16>
    %y = ktdp.construct_memory_view %y_ptr, sizes: [16, 63], strides: [63, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 62 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<16x63xf16>
    %at83 = ktdp.construct_access_tile %x[%r, 0, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 62 >= 0, d2 >= 0, -d2 + 2 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<16x63x3xf16> -> !ktdp.access_tile<4x63x3xindex>
      %v = ktdp.load %at83 : !ktdp.access_tile<4x63x3xindex> -> tensor<4x63x3xf16>
    %m = linalg.reduce { arith.maximumf } ins(%v : tensor<4x63x3xf16>) outs(%ninf : tensor<4x63xf16>) dimensions = [2]
    %at84 = ktdp.construct_access_tile %y[%r, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 62 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<16x63xf16> -> !ktdp.access_tile<4x63xindex>
      ktdp.store %m, %at84 : tensor<4x63xf16>, !ktdp.access_tile<4x63xindex>
    return
  }
}
