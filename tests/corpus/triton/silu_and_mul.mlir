// SiLU of the first half of each row times the second half
module {
  func.func @silu_and_mul(%x_ptr: index, %y_ptr: index) attributes {grid = [6]} {
    %c2 = arith.constant 2 : index
    %c128 = arith.constant 128 : index
    %one = arith.constant dense<1.000000e+00> : tensor<2x128xf32>
    %pid = ktdp.get_compute_tile_id : index
    %r = arith.muli %pid, %c2 : index
    %x = ktdp.construct_memory_view %x_ptr, sizes: [12, 256], strides: [256, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 11 >= 0, d1 >= 0, -d1 + 255 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<12x256xf16>
    %y = ktdp.construct_memory_view %y_ptr, sizes: [12, 128], strides: [128, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 11 >= 0, d1 >= 0, -d1 + 127 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<12x128xf16>
    %at17 = ktdp.construct_access_tile %x[%r, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 127 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<12x256xf16> -> !ktdp.access_tile<2x128xindex>
      %g = ktdp.load %at17 : !ktdp.access_tile<2x128xindex> -> tensor<2x128xf16>
    %at18 = ktdp.construct_access_tile %x[%r, %c128] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 127 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<12x256xf16> -> !ktdp.access_tile<2x128xindex>
      %u = ktdp.load %at18 : !ktdp.access_tile<2x128xindex> -> tensor<2x128xf16>
    %gf = arith.extf %g : tensor<2x128xf16> to tensor<2x128xf32>
    %n = arith.negf %gf : tensor<2x128xf32>
    %e = math.exp %n : tensor<2x128xf32>
    %p = arith.addf %e, %one : tensor<2x128xf32>
    %s = arith.divf %gf, %p : tensor<2x128xf32>
    %h = arith.truncf %s : tensor<2x128xf32> to tensor<2x128xf16>
    %o = arith.mulf %h, %u : tensor<2x128xf16>
    %at19 = ktdp.construct_access_tile %y[%r, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 127 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<12x128xf16> -> !ktdp.access_tile<2x128xindex>
      ktdp.store %o, %at19 : tensor<2x128xf16>, !ktdp.access_tile<2x128xindex>
    return
  }
}
