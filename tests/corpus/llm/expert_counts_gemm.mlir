// Grouped GEMM: as many blocks of rows as each expert has tokens, the rest of its room stays as it is
module {
  func.func @expert_counts_gemm(%a: index, %w: index, %counts: index, %c: index) attributes {grid = [4]} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %pid = ktdp.get_compute_tile_id : index
    %av = ktdp.construct_memory_view %a, sizes: [4, 64, 64], strides: [4096, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 63 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x64x64xf16>
    %wv = ktdp.construct_memory_view %w, sizes: [4, 64, 96], strides: [6144, 96, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 63 >= 0, d2 >= 0, -d2 + 95 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x64x96xf16>
    %nv = ktdp.construct_memory_view %counts, sizes: [4], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4xi32>
    %cv = ktdp.construct_memory_view %c, sizes: [4, 64, 96], strides: [6144, 96, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 63 >= 0, d2 >= 0, -d2 + 95 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x64x96xf16>
    %z = arith.constant dense<0.000000e+00> : tensor<16x96xf32>
    %n_v_t = ktdp.construct_access_tile %nv[%pid] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<4xi32> -> !ktdp.access_tile<1xindex>
    %n_v = ktdp.load %n_v_t : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %n_i = tensor.extract %n_v[%c0] : tensor<1xi32>
    %n = arith.index_cast %n_i : i32 to index
    %w3_t = ktdp.construct_access_tile %wv[%pid, 0, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0, d2 >= 0, -d2 + 95 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<4x64x96xf16> -> !ktdp.access_tile<1x64x96xindex>
    %w3 = ktdp.load %w3_t : !ktdp.access_tile<1x64x96xindex> -> tensor<1x64x96xf16>
    %w2 = tensor.collapse_shape %w3 [[0, 1], [2]] : tensor<1x64x96xf16> into tensor<64x96xf16>
    scf.for %m = %c0 to %n step %c16 {
      %a3_t = ktdp.construct_access_tile %av[%pid, %m, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 15 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<4x64x64xf16> -> !ktdp.access_tile<1x16x64xindex>
      %a3 = ktdp.load %a3_t : !ktdp.access_tile<1x16x64xindex> -> tensor<1x16x64xf16>
      %a2 = tensor.collapse_shape %a3 [[0, 1], [2]] : tensor<1x16x64xf16> into tensor<16x64xf16>
      %d = linalg.matmul ins(%a2, %w2 : tensor<16x64xf16>, tensor<64x96xf16>) outs(%z : tensor<16x96xf32>) -> tensor<16x96xf32>
      %h = arith.truncf %d : tensor<16x96xf32> to tensor<16x96xf16>
      %h3 = tensor.expand_shape %h [[0, 1], [2]] output_shape [1, 16, 96] : tensor<16x96xf16> into tensor<1x16x96xf16>
      %at_4 = ktdp.construct_access_tile %cv[%pid, %m, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 15 >= 0, d2 >= 0, -d2 + 95 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<4x64x96xf16> -> !ktdp.access_tile<1x16x96xindex>
      ktdp.store %h3, %at_4 : tensor<1x16x96xf16>, !ktdp.access_tile<1x16x96xindex>
    }
    return
  }
}
