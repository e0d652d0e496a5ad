// A loop carries the elementwise maximum of eight row blocks.
module {
  func.func @loop_max(%a: index, %c: index) attributes {grid = [2]} {
    %pid = ktdp.get_compute_tile_id : index
    %z = arith.constant 0 : index
    %one = arith.constant 1 : index
    %n8 = arith.constant 8 : index
    %bn = arith.constant 64 : index
    %n0 = arith.muli %pid, %bn : index
    %av = ktdp.construct_memory_view %a, sizes: [32, 128], strides: [128, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 127 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<32x128xf16>
    %cv = ktdp.construct_memory_view %c, sizes: [4, 128], strides: [128, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 127 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x128xf16>
    %low = arith.constant dense<0xFC00> : tensor<4x64xf16>
    %r = scf.for %k = %z to %n8 step %one iter_args(%acc = %low) -> (tensor<4x64xf16>) {
      %four = arith.constant 4 : index
      %m0 = arith.muli %k, %four : index
      %at_t = ktdp.construct_access_tile %av[%m0, %n0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<32x128xf16> -> !ktdp.access_tile<4x64xindex>
      %at = ktdp.load %at_t : !ktdp.access_tile<4x64xindex> -> tensor<4x64xf16>
      %y = arith.maximumf %acc, %at : tensor<4x64xf16>
      scf.yield %y : tensor<4x64xf16>
    }
    %r_st = ktdp.construct_access_tile %cv[%z, %n0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<4x128xf16> -> !ktdp.access_tile<4x64xindex>
    ktdp.store %r, %r_st : tensor<4x64xf16>, !ktdp.access_tile<4x64xindex>
    return
  }
}
