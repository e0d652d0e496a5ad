// Rotary embedding on interleaved pairs
module {
  func.func @rope_interleaved(%q_ptr: index, %c_ptr: index, %s_ptr: index, %o_ptr: index) attributes {grid = [4]} {
    %c4 = arith.constant 4 : index
    %pid = ktdp.get_compute_tile_id : index
    %r = arith.muli %pid, %c4 : index
    %q = ktdp.construct_memory_view %q_ptr, sizes: [16, 32, 2], strides: [64, 2, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 31 >= 0, d2 >= 0, -d2 + 1 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<16x32x2xf32>
    %c = ktdp.construct_memory_view %c_ptr, sizes: [16, 32], strides: [32, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 31 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<16x32xf32>
    %s = ktdp.construct_memory_view %s_ptr, sizes: [16, 32], strides: [32, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 31 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<16x32xf32>
    %o = ktdp.construct_memory_view %o_ptr, sizes: [16, 32, 2], strides: [64, 2, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 31 >= 0, d2 >= 0, -d2 + 1 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<16x32x2xf32>
    %at114 = ktdp.construct_access_tile %q[%r, 0, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 31 >= 0, d2 >= 0, -d2 + 1 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<16x32x2xf32> -> !ktdp.access_tile<4x32x2xindex>
      %v = ktdp.load %at114 : !ktdp.access_tile<4x32x2xindex> -> tensor<4x32x2xf32>
    %at115 = ktdp.construct_access_tile %c[%r, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<16x32xf32> -> !ktdp.access_tile<4x32xindex>
      %cv = ktdp.load %at115 : !ktdp.access_tile<4x32xindex> -> tensor<4x32xf32>
    %at116 = ktdp.construct_access_tile %s[%r, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<16x32xf32> -> !ktdp.access_tile<4x32xindex>
      %sv = ktdp.load %at116 : !ktdp.access_tile<4x32xindex> -> tensor<4x32xf32>
    %x0 = tensor.extract_slice %v[0, 0, 0] [4, 32, 1] [1, 1, 1] : tensor<4x32x2xf32> to tensor<4x32xf32>
    %x1 = tensor.extract_slice %v[0, 0, 1] [4, 32, 1] [1, 1, 1] : tensor<4x32x2xf32> to tensor<4x32xf32>
    %a = arith.mulf %x0, %cv : tensor<4x32xf32>
    %b = arith.mulf %x1, %sv : tensor<4x32xf32>
    %y0 = arith.subf %a, %b : tensor<4x32xf32>
    %d = arith.mulf %x0, %sv : tensor<4x32xf32>
    %e = arith.mulf %x1, %cv : tensor<4x32xf32>
    %y1 = arith.addf %d, %e : tensor<4x32xf32>
    %em = tensor.empty() : tensor<4x32x2xf32>
    %i0 = tensor.insert_slice %y0 into %em[0, 0, 0] [4, 32, 1] [1, 1, 1] : tensor<4x32xf32> into tensor<4x32x2xf32>
    %i1 = tensor.insert_slice %y1 into %i0[0, 0, 1] [4, 32, 1] [1, 1, 1] : tensor<4x32xf32> into tensor<4x32x2xf32>
    %at117 = ktdp.construct_access_tile %o[%r, 0, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 31 >= 0, d2 >= 0, -d2 + 1 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<16x32x2xf32> -> !ktdp.access_tile<4x32x2xindex>
      ktdp.store %i1, %at117 : tensor<4x32x2xf32>, !ktdp.access_tile<4x32x2xindex>
    return
  }
}
