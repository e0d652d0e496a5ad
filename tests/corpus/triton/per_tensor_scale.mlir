module {
  func.func @per_tensor_scale(%x_ptr: index, %s_ptr: index, %y_ptr: index) attributes {grid = [4]} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %pid = ktdp.get_compute_tile_id : index
    %r = arith.muli %pid, %c4 : index
    %x = ktdp.construct_memory_view %x_ptr, sizes: [16, 100], strides: [100, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 99 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<16x100xi8>
    %s = ktdp.construct_memory_view %s_ptr, sizes: [1], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<1xf32>
    %y = ktdp.construct_memory_view %y_ptr, sizes: [16, 100], strides: [100, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 99 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<16x100xbf16>
    %at47 = ktdp.construct_access_tile %x[%r, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 99 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<16x100xi8> -> !ktdp.access_tile<4x100xindex>
      %a = ktdp.load %at47 : !ktdp.access_tile<4x100xindex> -> tensor<4x100xi8>
    %at48 = ktdp.construct_access_tile %s[0] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<1xf32> -> !ktdp.access_tile<1xindex>
      %sv = ktdp.load %at48 : !ktdp.access_tile<1xindex> -> tensor<1xf32>
    %sc = tensor.extract %sv[%c0] : tensor<1xf32>
    %f = arith.sitofp %a : tensor<4x100xi8> to tensor<4x100xf32>
    %sb = tensor.splat %sc : tensor<4x100xf32>
    %o = arith.mulf %f, %sb : tensor<4x100xf32>
    %h = arith.truncf %o : tensor<4x100xf32> to tensor<4x100xbf16>
    %at49 = ktdp.construct_access_tile %y[%r, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 99 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<16x100xbf16> -> !ktdp.access_tile<4x100xindex>
      ktdp.store %h, %at49 : tensor<4x100xbf16>, !ktdp.access_tile<4x100xindex>
    return
  }
}
