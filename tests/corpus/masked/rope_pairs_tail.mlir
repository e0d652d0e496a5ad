// Rotary embedding of neighbouring pairs in place, over rows of a dynamic extent that the last tile overhangs: the
// pairs are slices of lower rank, kept while the rows behind the end are left alone.
module {
  func.func @rope_pairs_tail(%x: index, %cos: index, %sin: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %rows = arith.constant 14 : index
    %xv = ktdp.construct_memory_view %x, sizes: [%rows, 16], strides: [16, 1] {
      coordinate_set = affine_set<(i, j)[s0] : (i >= 0, -i + s0 - 1 >= 0, j >= 0, -j + 15 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<?x16xf32>
    %cosv = ktdp.construct_memory_view %cos, sizes: [%rows, 8], strides: [8, 1] {
      coordinate_set = affine_set<(i, j)[s0] : (i >= 0, -i + s0 - 1 >= 0, j >= 0, -j + 7 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<?x8xf32>
    %sinv = ktdp.construct_memory_view %sin, sizes: [8], strides: [1] {
      coordinate_set = affine_set<(j) : (j >= 0, -j + 7 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<8xf32>
    %xt = ktdp.construct_access_tile %xv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 15 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<?x16xf32> -> !ktdp.access_tile<4x16xindex>
    %flat = ktdp.load %xt : <4x16xindex> -> tensor<4x16xf32>
    %pairs = tensor.expand_shape %flat [[0], [1, 2]] output_shape [4, 8, 2] : tensor<4x16xf32> into tensor<4x8x2xf32>
    %a = tensor.extract_slice %pairs[0, 0, 0] [4, 8, 1] [1, 1, 1] : tensor<4x8x2xf32> to tensor<4x8xf32>
    %b = tensor.extract_slice %pairs[0, 0, 1] [4, 8, 1] [1, 1, 1] : tensor<4x8x2xf32> to tensor<4x8xf32>
    %cost = ktdp.construct_access_tile %cosv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 7 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<?x8xf32> -> !ktdp.access_tile<4x8xindex>
    %c = ktdp.load %cost : <4x8xindex> -> tensor<4x8xf32>
    %sint = ktdp.construct_access_tile %sinv[0] {
      access_tile_set = affine_set<(j) : (j >= 0, -j + 7 >= 0)>,
      access_tile_order = affine_map<(j) -> (j)>
    } : memref<8xf32> -> !ktdp.access_tile<8xindex>
    %row = ktdp.load %sint : <8xindex> -> tensor<8xf32>
    %empty = tensor.empty() : tensor<4x8xf32>
    %s = linalg.broadcast ins(%row : tensor<8xf32>) outs(%empty : tensor<4x8xf32>) dimensions = [0]
    %ac = arith.mulf %a, %c : tensor<4x8xf32>
    %bs = arith.mulf %b, %s : tensor<4x8xf32>
    %first = arith.subf %ac, %bs : tensor<4x8xf32>
    %bc = arith.mulf %b, %c : tensor<4x8xf32>
    %as = arith.mulf %a, %s : tensor<4x8xf32>
    %second = arith.addf %bc, %as : tensor<4x8xf32>
    %none = tensor.empty() : tensor<4x8x2xf32>
    %half = tensor.insert_slice %first into %none[0, 0, 0] [4, 8, 1] [1, 1, 1] : tensor<4x8xf32> into tensor<4x8x2xf32>
    %both = tensor.insert_slice %second into %half[0, 0, 1] [4, 8, 1] [1, 1, 1] : tensor<4x8xf32> into tensor<4x8x2xf32>
    %result = tensor.collapse_shape %both [[0], [1, 2]] : tensor<4x8x2xf32> into tensor<4x16xf32>
    %again = ktdp.construct_access_tile %xv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 15 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<?x16xf32> -> !ktdp.access_tile<4x16xindex>
    ktdp.store %result, %again : tensor<4x16xf32>, <4x16xindex>
    return
  }
}
