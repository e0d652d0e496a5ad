// Blocks of bytes in the scratchpad that begin anywhere in a word, beside the sum of each row
module {
  func.func @local_byte_blocks(%x: index, %z: index) attributes {grid = [2]} {
    %1 = ktdp.get_compute_tile_id : index
    %2 = ktdp.construct_memory_view %x, sizes: [2, 2, 52], strides: [104, 52, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 1 >= 0, d2 >= 0, -d2 + 51 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x2x52xi8>
    %3 = arith.constant 0 : index
    %4 = ktdp.construct_memory_view %3, sizes: [1, 2, 52], strides: [104, 52, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 1 >= 0, d2 >= 0, -d2 + 51 >= 0)>, memory_space = #ktdp.spyre_memory_space<LX>} : memref<1x2x52xi8>
    %5 = ktdp.construct_memory_view %z, sizes: [2, 2], strides: [2, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 1 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x2xi8>
    %6 = arith.constant 0 : index
    %7 = arith.constant 52 : index
    %8 = arith.constant 13 : index
    %9 = arith.constant dense<0> : tensor<2xi8>
    %11:1 = scf.for %10 = %6 to %7 step %8 iter_args(%12 = %9) -> (tensor<2xi8>) {
      %13 = ktdp.construct_access_tile %2[%1, 0, %10] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 1 >= 0, d2 >= 0, -d2 + 12 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<2x2x52xi8> -> !ktdp.access_tile<1x2x13xindex>
      %14 = ktdp.load %13 : !ktdp.access_tile<1x2x13xindex> -> tensor<1x2x13xi8>
      %15 = arith.addi %14, %14 : tensor<1x2x13xi8>
      %16 = ktdp.construct_access_tile %4[0, 0, %10] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 1 >= 0, d2 >= 0, -d2 + 12 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<1x2x52xi8> -> !ktdp.access_tile<1x2x13xindex>
      ktdp.store %15, %16 : tensor<1x2x13xi8>, !ktdp.access_tile<1x2x13xindex>
      %17 = tensor.collapse_shape %15 [[0, 1], [2]] : tensor<1x2x13xi8> into tensor<2x13xi8>
      %18 = linalg.reduce { arith.addi } ins(%17 : tensor<2x13xi8>) outs(%9 : tensor<2xi8>) dimensions = [1]
      %19 = arith.addi %12, %18 : tensor<2xi8>
      scf.yield %19 : tensor<2xi8>
    }
    %20 = tensor.expand_shape %11#0 [[0, 1]] output_shape [1, 2] : tensor<2xi8> into tensor<1x2xi8>
    %21 = ktdp.construct_access_tile %5[%1, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 1 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<2x2xi8> -> !ktdp.access_tile<1x2xindex>
    ktdp.store %20, %21 : tensor<1x2xi8>, !ktdp.access_tile<1x2xindex>
    return
  }
}
