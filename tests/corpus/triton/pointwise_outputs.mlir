// One input, outputs of three types
module {
  func.func @pointwise_outputs(%x_ptr: index, %a_ptr: index, %b_ptr: index, %c_ptr: index) attributes {grid = [4]} {
    %c8 = arith.constant 8 : index
    %z = arith.constant dense<0.000000e+00> : tensor<8x60xbf16>
    %pid = ktdp.get_compute_tile_id : index
    %r = arith.muli %pid, %c8 : index
    %x = ktdp.construct_memory_view %x_ptr, sizes: [32, 60], strides: [60, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 59 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<32x60xbf16>
    %av = ktdp.construct_memory_view %a_ptr, sizes: [32, 60], strides: [60, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 59 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<32x60xi8>
    %bv = ktdp.construct_memory_view %b_ptr, sizes: [32, 60], strides: [60, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 59 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<32x60xi64>
    %cv = ktdp.construct_memory_view %c_ptr, sizes: [32, 60], strides: [60, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 59 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<32x60xf32>
    %at122 = ktdp.construct_access_tile %x[%r, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 59 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<32x60xbf16> -> !ktdp.access_tile<8x60xindex>
      %v = ktdp.load %at122 : !ktdp.access_tile<8x60xindex> -> tensor<8x60xbf16>
    %g = arith.cmpf ogt, %v, %z : tensor<8x60xbf16>
    %gi = arith.extui %g : tensor<8x60xi1> to tensor<8x60xi8>
    %f = arith.extf %v : tensor<8x60xbf16> to tensor<8x60xf32>
    %fl = math.floor %f : tensor<8x60xf32>
    %i = arith.fptosi %fl : tensor<8x60xf32> to tensor<8x60xi64>
    %e = math.erf %f : tensor<8x60xf32>
    %l = math.log1p %e : tensor<8x60xf32>
    %at123 = ktdp.construct_access_tile %av[%r, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 59 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<32x60xi8> -> !ktdp.access_tile<8x60xindex>
      ktdp.store %gi, %at123 : tensor<8x60xi8>, !ktdp.access_tile<8x60xindex>
    %at124 = ktdp.construct_access_tile %bv[%r, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 59 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<32x60xi64> -> !ktdp.access_tile<8x60xindex>
      ktdp.store %i, %at124 : tensor<8x60xi64>, !ktdp.access_tile<8x60xindex>
    %at125 = ktdp.construct_access_tile %cv[%r, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 59 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<32x60xf32> -> !ktdp.access_tile<8x60xindex>
      ktdp.store %l, %at125 : tensor<8x60xf32>, !ktdp.access_tile<8x60xindex>
    return
  }
}
