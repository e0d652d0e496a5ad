// Four-bit weights, two a byte, to f16 with a scale a row
module {
  func.func @dequant_int4(%q_ptr: index, %s_ptr: index, %y_ptr: index) attributes {grid = [4]} {
    %c4 = arith.constant 4 : index
    %sh = arith.constant dense<4> : tensor<4x64xi8>
    %msk = arith.constant dense<15> : tensor<4x64xi8>
    %off = arith.constant dense<8> : tensor<4x64xi32>
    %pid = ktdp.get_compute_tile_id : index
    %r = arith.muli %pid, %c4 : index
    %q = ktdp.construct_memory_view %q_ptr, sizes: [16, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<16x64xi8>
    %s = ktdp.construct_memory_view %s_ptr, sizes: [16, 1], strides: [1, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 0 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<16x1xf16>
    %y = ktdp.construct_memory_view %y_ptr, sizes: [16, 128], strides: [128, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 127 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<16x128xf16>
    %at29 = ktdp.construct_access_tile %q[%r, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<16x64xi8> -> !ktdp.access_tile<4x64xindex>
      %p = ktdp.load %at29 : !ktdp.access_tile<4x64xindex> -> tensor<4x64xi8>
    %at30 = ktdp.construct_access_tile %s[%r, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 0 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<16x1xf16> -> !ktdp.access_tile<4x1xindex>
      %sc = ktdp.load %at30 : !ktdp.access_tile<4x1xindex> -> tensor<4x1xf16>
    %c = tensor.collapse_shape %sc [[0, 1]] : tensor<4x1xf16> into tensor<4xf16>
    %be31 = tensor.empty() : tensor<4x64xf16>
      %sb = linalg.broadcast ins(%c : tensor<4xf16>) outs(%be31 : tensor<4x64xf16>) dimensions = [1]
    %lo = arith.andi %p, %msk : tensor<4x64xi8>
    %hi0 = arith.shrui %p, %sh : tensor<4x64xi8>
    %hi = arith.andi %hi0, %msk : tensor<4x64xi8>
    %l32 = arith.extui %lo : tensor<4x64xi8> to tensor<4x64xi32>
    %h32 = arith.extui %hi : tensor<4x64xi8> to tensor<4x64xi32>
    %ls = arith.subi %l32, %off : tensor<4x64xi32>
    %hs = arith.subi %h32, %off : tensor<4x64xi32>
    %lf = arith.sitofp %ls : tensor<4x64xi32> to tensor<4x64xf16>
    %hf = arith.sitofp %hs : tensor<4x64xi32> to tensor<4x64xf16>
    %lo2 = arith.mulf %lf, %sb : tensor<4x64xf16>
    %hi2 = arith.mulf %hf, %sb : tensor<4x64xf16>
    %at32 = ktdp.construct_access_tile %y[%r, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<16x128xf16> -> !ktdp.access_tile<4x64xindex>
      ktdp.store %lo2, %at32 : tensor<4x64xf16>, !ktdp.access_tile<4x64xindex>
    %at33 = ktdp.construct_access_tile %y[%r, 64] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<16x128xf16> -> !ktdp.access_tile<4x64xindex>
      ktdp.store %hi2, %at33 : tensor<4x64xf16>, !ktdp.access_tile<4x64xindex>
    return
  }
}
