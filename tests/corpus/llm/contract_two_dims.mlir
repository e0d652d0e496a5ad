// A generic contraction over two dimensions (k1, k2), the result stored column-major: c[n, m] = sum a[m, k1, k2] b[k1, k2, n].
module {
  func.func @contract_two_dims(%a: index, %b: index, %c: index) attributes {grid = [2]} {
    %pid = ktdp.get_compute_tile_id : index
    %z = arith.constant 0 : index
    %bm = arith.constant 16 : index
    %m0 = arith.muli %pid, %bm : index
    %av = ktdp.construct_memory_view %a, sizes: [32, 4, 16], strides: [64, 16, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 3 >= 0, d2 >= 0, -d2 + 15 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<32x4x16xf16>
    %bv = ktdp.construct_memory_view %b, sizes: [4, 16, 24], strides: [384, 24, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 15 >= 0, d2 >= 0, -d2 + 23 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4x16x24xf16>
    %cv = ktdp.construct_memory_view %c, sizes: [24, 32], strides: [32, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 23 >= 0, d1 >= 0, -d1 + 31 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<24x32xf16>
    %at_t = ktdp.construct_access_tile %av[%m0, %z, %z] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 3 >= 0, d2 >= 0, -d2 + 15 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<32x4x16xf16> -> !ktdp.access_tile<16x4x16xindex>
    %at = ktdp.load %at_t : !ktdp.access_tile<16x4x16xindex> -> tensor<16x4x16xf16>
    %bt_t = ktdp.construct_access_tile %bv[%z, %z, %z] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 15 >= 0, d2 >= 0, -d2 + 23 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<4x16x24xf16> -> !ktdp.access_tile<4x16x24xindex>
    %bt = ktdp.load %bt_t : !ktdp.access_tile<4x16x24xindex> -> tensor<4x16x24xf16>
    %zero = arith.constant dense<0.000000e+00> : tensor<24x16xf32>
    %y = linalg.generic {
      indexing_maps = [affine_map<(n, m, p, q) -> (m, p, q)>, affine_map<(n, m, p, q) -> (p, q, n)>,
                       affine_map<(n, m, p, q) -> (n, m)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]
    } ins(%at, %bt : tensor<16x4x16xf16>, tensor<4x16x24xf16>) outs(%zero : tensor<24x16xf32>) {
    ^bb0(%x: f16, %w: f16, %acc: f32):
      %xw = arith.extf %x : f16 to f32
      %ww = arith.extf %w : f16 to f32
      %p = arith.mulf %xw, %ww : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<24x16xf32>
    %o = arith.truncf %y : tensor<24x16xf32> to tensor<24x16xf16>
    %o_st = ktdp.construct_access_tile %cv[%z, %m0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 23 >= 0, d1 >= 0, -d1 + 15 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<24x32xf16> -> !ktdp.access_tile<24x16xindex>
    ktdp.store %o, %o_st : tensor<24x16xf16>, !ktdp.access_tile<24x16xindex>
    return
  }
}
