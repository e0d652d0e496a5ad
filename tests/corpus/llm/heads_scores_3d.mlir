// Scores of two heads on a 3-D grid (head, row block, 1): q k^T * 1/8, both stored [head, position, feature].
module {
  func.func @heads_scores_3d(%q: index, %kk: index, %s: index) attributes {grid = [2, 2, 1]} {
    %pid:3 = ktdp.get_compute_tile_id : index, index, index
    %z = arith.constant 0 : index
    %bm = arith.constant 16 : index
    %m0 = arith.muli %pid#1, %bm : index
    %h = arith.addi %pid#0, %pid#2 : index
    %qv = ktdp.construct_memory_view %q, sizes: [2, 32, 64], strides: [2048, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 31 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x32x64xf16>
    %kv = ktdp.construct_memory_view %kk, sizes: [2, 48, 64], strides: [3072, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 47 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x48x64xf16>
    %sv = ktdp.construct_memory_view %s, sizes: [2, 32, 48], strides: [1536, 48, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 31 >= 0, d2 >= 0, -d2 + 47 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x32x48xf16>
    %qt_t = ktdp.construct_access_tile %qv[%h, %m0, %z] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 15 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<2x32x64xf16> -> !ktdp.access_tile<1x16x64xindex>
    %qt = ktdp.load %qt_t : !ktdp.access_tile<1x16x64xindex> -> tensor<1x16x64xf16>
    %kt_t = ktdp.construct_access_tile %kv[%h, %z, %z] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 47 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<2x48x64xf16> -> !ktdp.access_tile<1x48x64xindex>
    %kt = ktdp.load %kt_t : !ktdp.access_tile<1x48x64xindex> -> tensor<1x48x64xf16>
    %q2 = tensor.collapse_shape %qt [[0, 1], [2]] : tensor<1x16x64xf16> into tensor<16x64xf16>
    %k2 = tensor.collapse_shape %kt [[0, 1], [2]] : tensor<1x48x64xf16> into tensor<48x64xf16>
    %zero = arith.constant dense<0.000000e+00> : tensor<16x48xf32>
    %kte = tensor.empty() : tensor<64x48xf16>
    %ktt = linalg.transpose ins(%k2 : tensor<48x64xf16>) outs(%kte : tensor<64x48xf16>) permutation = [1, 0]
    %y = linalg.matmul ins(%q2, %ktt : tensor<16x64xf16>, tensor<64x48xf16>) outs(%zero : tensor<16x48xf32>) -> tensor<16x48xf32>
    %sc = arith.constant dense<1.250000e-01> : tensor<16x48xf32>
    %y2 = arith.mulf %y, %sc : tensor<16x48xf32>
    %o = arith.truncf %y2 : tensor<16x48xf32> to tensor<16x48xf16>
    %o3 = tensor.expand_shape %o [[0, 1], [2]] output_shape [1, 16, 48] : tensor<16x48xf16> into tensor<1x16x48xf16>
    %o3_st = ktdp.construct_access_tile %sv[%h, %m0, %z] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 15 >= 0, d2 >= 0, -d2 + 47 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<2x32x48xf16> -> !ktdp.access_tile<1x16x48xindex>
    ktdp.store %o3, %o3_st : tensor<1x16x48xf16>, !ktdp.access_tile<1x16x48xindex>
    return
  }
}
