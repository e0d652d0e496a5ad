// Symmetric int8 quantisation of rows with one scale a row
module {
  func.func @quantize_rows(%x_ptr: index, %q_ptr: index, %s_ptr: index) attributes {grid = [8]} {
    %c2 = arith.constant 2 : index
    %zero = arith.constant dense<0.000000e+00> : tensor<2xf32>
    %c127 = arith.constant dense<1.270000e+02> : tensor<2xf32>
    %tiny = arith.constant dense<1.000000e-05> : tensor<2xf32>
    %lo = arith.constant dense<-1.270000e+02> : tensor<2x192xf32>
    %hi = arith.constant dense<1.270000e+02> : tensor<2x192xf32>
    %pid = ktdp.get_compute_tile_id : index
    %r = arith.muli %pid, %c2 : index
    %x = ktdp.construct_memory_view %x_ptr, sizes: [16, 192], strides: [192, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 191 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<16x192xf16>
    %q = ktdp.construct_memory_view %q_ptr, sizes: [16, 192], strides: [192, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 191 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<16x192xi8>
    %s = ktdp.construct_memory_view %s_ptr, sizes: [16], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 15 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<16xf32>
    %at25 = ktdp.construct_access_tile %x[%r, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 191 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<16x192xf16> -> !ktdp.access_tile<2x192xindex>
      %row = ktdp.load %at25 : !ktdp.access_tile<2x192xindex> -> tensor<2x192xf16>
    %f = arith.extf %row : tensor<2x192xf16> to tensor<2x192xf32>
    %a = math.absf %f : tensor<2x192xf32>
    %m = linalg.reduce { arith.maximumf } ins(%a : tensor<2x192xf32>) outs(%zero : tensor<2xf32>) dimensions = [1]
    %m1 = arith.maximumf %m, %tiny : tensor<2xf32>
    %sc = arith.divf %m1, %c127 : tensor<2xf32>
    %be26 = tensor.empty() : tensor<2x192xf32>
      %sb = linalg.broadcast ins(%sc : tensor<2xf32>) outs(%be26 : tensor<2x192xf32>) dimensions = [1]
    %y = arith.divf %f, %sb : tensor<2x192xf32>
    %rd = math.roundeven %y : tensor<2x192xf32>
    %cl = arith.minimumf %rd, %hi : tensor<2x192xf32>
    %ch = arith.maximumf %cl, %lo : tensor<2x192xf32>
    %i = arith.fptosi %ch : tensor<2x192xf32> to tensor<2x192xi8>
    %at27 = ktdp.construct_access_tile %q[%r, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 191 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<16x192xi8> -> !ktdp.access_tile<2x192xindex>
      ktdp.store %i, %at27 : tensor<2x192xi8>, !ktdp.access_tile<2x192xindex>
    %at28 = ktdp.construct_access_tile %s[%r] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<16xf32> -> !ktdp.access_tile<2xindex>
      ktdp.store %sc, %at28 : tensor<2xf32>, !ktdp.access_tile<2xindex>
    return
  }
}
