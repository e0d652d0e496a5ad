// Column sums added to what is there, in place, in a loop over blocks
module {
  func.func @column_sum_prime_seeded(%x: index, %y: index) attributes {grid = [3]} {
    %pid1 = ktdp.get_compute_tile_id : index
    %v2 = ktdp.construct_memory_view %x, sizes: [3, 60, 131], strides: [7860, 131, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 59 >= 0, d2 >= 0, -d2 + 130 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<3x60x131xf16>
    %v3 = ktdp.construct_memory_view %y, sizes: [3, 131], strides: [131, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 130 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<3x131xf32>
    %t4 = ktdp.construct_access_tile %v3[%pid1, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 130 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<3x131xf32> -> !ktdp.access_tile<1x131xindex>
    %5 = ktdp.load %t4 : !ktdp.access_tile<1x131xindex> -> tensor<1x131xf32>
    %6 = tensor.collapse_shape %5 [[0, 1]] : tensor<1x131xf32> into tensor<131xf32>
    %c7 = arith.constant 0 : index
    %c8 = arith.constant 60 : index
    %c9 = arith.constant 20 : index
    %for12 = scf.for %i10 = %c7 to %c8 step %c9 iter_args(%it11 = %6) -> (tensor<131xf32>) {
      %t13 = ktdp.construct_access_tile %v2[%pid1, %i10, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 19 >= 0, d2 >= 0, -d2 + 130 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<3x60x131xf16> -> !ktdp.access_tile<1x20x131xindex>
      %14 = ktdp.load %t13 : !ktdp.access_tile<1x20x131xindex> -> tensor<1x20x131xf16>
      %15 = tensor.collapse_shape %14 [[0, 1], [2]] : tensor<1x20x131xf16> into tensor<20x131xf16>
      %16 = arith.extf %15 : tensor<20x131xf16> to tensor<20x131xf32>
      %r17 = linalg.reduce { arith.addf } ins(%16 : tensor<20x131xf32>) outs(%it11 : tensor<131xf32>) dimensions = [0] 
      scf.yield %r17 : tensor<131xf32>
    }
    %18 = tensor.expand_shape %for12 [[0, 1]] output_shape [1, 131] : tensor<131xf32> into tensor<1x131xf32>
    %t19 = ktdp.construct_access_tile %v3[%pid1, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 130 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<3x131xf32> -> !ktdp.access_tile<1x131xindex>
    ktdp.store %18, %t19 : tensor<1x131xf32>, !ktdp.access_tile<1x131xindex>
    return
  }
}
