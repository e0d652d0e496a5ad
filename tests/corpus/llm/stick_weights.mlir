// Weights in sticks: 128 x 4 x 64 with strides [64, 8192, 1]; the store is in sticks as well. Inductor style: one tensor
// index a tile.
module {
  func.func @stick_weights(%a: index, %b: index, %c: index) attributes {grid = [4]} {
    %pid = ktdp.get_compute_tile_id : index
    %z = arith.constant 0 : index
    %bm = arith.constant 8 : index
    %m0 = arith.muli %pid, %bm : index
    %av = ktdp.construct_memory_view %a, sizes: [32, 128], strides: [128, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 127 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<32x128xf16>
    %bv = ktdp.construct_memory_view %b, sizes: [128, 4, 64], strides: [64, 8192, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 127 >= 0, d1 >= 0, -d1 + 3 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<128x4x64xf16>
    %cv = ktdp.construct_memory_view %c, sizes: [32, 4, 64], strides: [64, 2048, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 3 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<32x4x64xf16>
    %at_t = ktdp.construct_access_tile %av[%m0, %z] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 127 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<32x128xf16> -> !ktdp.access_tile<8x128xindex>
    %at = ktdp.load %at_t : !ktdp.access_tile<8x128xindex> -> tensor<8x128xf16>
    %bt_t = ktdp.construct_access_tile %bv[%z, %z, %z] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 127 >= 0, d1 >= 0, -d1 + 3 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<128x4x64xf16> -> !ktdp.access_tile<128x4x64xindex>
    %bt = ktdp.load %bt_t : !ktdp.access_tile<128x4x64xindex> -> tensor<128x4x64xf16>
    %zero = arith.constant dense<0.000000e+00> : tensor<8x4x64xf32>
    %y = linalg.generic {
      indexing_maps = [affine_map<(m, s, e, k) -> (m, k)>, affine_map<(m, s, e, k) -> (k, s, e)>,
                       affine_map<(m, s, e, k) -> (m, s, e)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]
    } ins(%at, %bt : tensor<8x128xf16>, tensor<128x4x64xf16>) outs(%zero : tensor<8x4x64xf32>) {
    ^bb0(%x: f16, %w: f16, %acc: f32):
      %xw = arith.extf %x : f16 to f32
      %ww = arith.extf %w : f16 to f32
      %p = arith.mulf %xw, %ww : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<8x4x64xf32>
    %o = arith.truncf %y : tensor<8x4x64xf32> to tensor<8x4x64xf16>
    %o_st = ktdp.construct_access_tile %cv[%m0, %z, %z] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 3 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<32x4x64xf16> -> !ktdp.access_tile<8x4x64xindex>
    ktdp.store %o, %o_st : tensor<8x4x64xf16>, !ktdp.access_tile<8x4x64xindex>
    return
  }
}
