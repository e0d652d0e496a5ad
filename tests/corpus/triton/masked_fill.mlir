// masked_fill with a byte mask and a scalar argument
module {
  func.func @masked_fill(%x_ptr: index, %m_ptr: index, %y_ptr: index, %v: f32) attributes {grid = [4]} {
    %c8 = arith.constant 8 : index
    %zero = arith.constant dense<0> : tensor<8x80xi8>
    %pid = ktdp.get_compute_tile_id : index
    %r = arith.muli %pid, %c8 : index
    %x = ktdp.construct_memory_view %x_ptr, sizes: [32, 80], strides: [80, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 79 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<32x80xf16>
    %m = ktdp.construct_memory_view %m_ptr, sizes: [32, 80], strides: [80, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 79 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<32x80xi8>
    %y = ktdp.construct_memory_view %y_ptr, sizes: [32, 80], strides: [80, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 79 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<32x80xf16>
    %at66 = ktdp.construct_access_tile %x[%r, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 79 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<32x80xf16> -> !ktdp.access_tile<8x80xindex>
      %a = ktdp.load %at66 : !ktdp.access_tile<8x80xindex> -> tensor<8x80xf16>
    %at67 = ktdp.construct_access_tile %m[%r, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 79 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<32x80xi8> -> !ktdp.access_tile<8x80xindex>
      %b = ktdp.load %at67 : !ktdp.access_tile<8x80xindex> -> tensor<8x80xi8>
    %h = arith.truncf %v : f32 to f16
    %s = tensor.splat %h : tensor<8x80xf16>
    %c = arith.cmpi ne, %b, %zero : tensor<8x80xi8>
    %o = arith.select %c, %s, %a : tensor<8x80xi1>, tensor<8x80xf16>
    %at68 = ktdp.construct_access_tile %y[%r, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 79 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<32x80xf16> -> !ktdp.access_tile<8x80xindex>
      ktdp.store %o, %at68 : tensor<8x80xf16>, !ktdp.access_tile<8x80xindex>
    return
  }
}
