// An if that yields a tensor
module {
  func.func @if_tensor_result(%x_ptr: index, %y_ptr: index) attributes {grid = [4]} {
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %pid = ktdp.get_compute_tile_id : index
    %r = arith.muli %pid, %c8 : index
    %x = ktdp.construct_memory_view %x_ptr, sizes: [32, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<32x64xf16>
    %y = ktdp.construct_memory_view %y_ptr, sizes: [32, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<32x64xf16>
    %at109 = ktdp.construct_access_tile %x[%r, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<32x64xf16> -> !ktdp.access_tile<8x64xindex>
      %v = ktdp.load %at109 : !ktdp.access_tile<8x64xindex> -> tensor<8x64xf16>
    %c = arith.cmpi ult, %pid, %c2 : index
    %o = scf.if %c -> (tensor<8x64xf16>) {
    %n = arith.negf %v : tensor<8x64xf16>
    scf.yield %n : tensor<8x64xf16>
    } else {
    %m = arith.mulf %v, %v : tensor<8x64xf16>
    scf.yield %m : tensor<8x64xf16>
    }
    %at110 = ktdp.construct_access_tile %y[%r, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<32x64xf16> -> !ktdp.access_tile<8x64xindex>
      ktdp.store %o, %at110 : tensor<8x64xf16>, !ktdp.access_tile<8x64xindex>
    return
  }
}
