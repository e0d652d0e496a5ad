// Histogram of small integers: comparisons with every bin, summed over blocks of the input
#set = affine_set<(d0) : (d0 >= 0, -d0 + 511 >= 0)>
#set1 = affine_set<(d0) : (d0 >= 0, -d0 + 7 >= 0)>
#set2 = affine_set<(d0) : (d0 >= 0, -d0 + 63 >= 0)>
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @histogram_compare(%x_ptr: index, %h_ptr: index) attributes {grid = [1]} {
    %1 = ktdp.construct_memory_view %x_ptr, sizes: [512], strides: [1] {coordinate_set = #set, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<512xi32>
    %2 = ktdp.construct_memory_view %h_ptr, sizes: [8], strides: [1] {coordinate_set = #set1, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<8xi32>
    %3 = arith.constant dense<0> : tensor<8xi32>
    %4 = arith.constant 0 : index
    %5 = arith.constant 512 : index
    %6 = arith.constant 64 : index
    %r7 = scf.for %i7 = %4 to %5 step %6 iter_args(%it7_0 = %3) -> (tensor<8xi32>) {
      %8 = ktdp.construct_access_tile %1[%i7] {access_tile_set = #set2, access_tile_order = #map} : memref<512xi32> -> !ktdp.access_tile<64xindex>
      %9 = ktdp.load %8 : !ktdp.access_tile<64xindex> -> tensor<64xi32>
      %10 = tensor.empty() : tensor<8x64xi32>
      %g11 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel", "parallel"]} outs(%10 : tensor<8x64xi32>) {
      ^bb0(%a11_0: i32):
        %12 = linalg.index 0 : index
        %13 = arith.index_cast %12 : index to i32
        linalg.yield %13 : i32
      } -> tensor<8x64xi32>
      %14 = tensor.empty() : tensor<8x64xi32>
      %15 = linalg.broadcast ins(%9 : tensor<64xi32>) outs(%14 : tensor<8x64xi32>) dimensions = [0]
      %16 = arith.cmpi eq, %g11, %15 : tensor<8x64xi32>
      %17 = arith.extui %16 : tensor<8x64xi1> to tensor<8x64xi32>
      %18 = arith.constant dense<0> : tensor<8xi32>
      %19 = linalg.reduce { arith.addi } ins(%17 : tensor<8x64xi32>) outs(%18 : tensor<8xi32>) dimensions = [1]
      %20 = arith.addi %it7_0, %19 : tensor<8xi32>
      scf.yield %20 : tensor<8xi32>
    }
    %21 = ktdp.construct_access_tile %2[0] {access_tile_set = #set1, access_tile_order = #map} : memref<8xi32> -> !ktdp.access_tile<8xindex>
    ktdp.store %r7, %21 : tensor<8xi32>, !ktdp.access_tile<8xindex>
    return
  }
}
