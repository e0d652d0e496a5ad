// Square roots by four Newton steps in a while loop that counts
module {
  func.func @while_newton(%x_ptr: index, %y_ptr: index) attributes {grid = [4]} {
    %1 = ktdp.get_compute_tile_id : index
    %2 = arith.constant 64 : index
    %3 = arith.muli %1, %2 : index
    %4 = ktdp.construct_memory_view %x_ptr, sizes: [256], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 255 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<256xf32>
    %5 = ktdp.construct_access_tile %4[%3] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 63 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<256xf32> -> !ktdp.access_tile<64xindex>
    %6 = ktdp.load %5 : <64xindex> -> tensor<64xf32>
    %7 = math.absf %6 : tensor<64xf32>
    %8 = arith.constant dense<1.000000e+00> : tensor<64xf32>
    %9 = arith.addf %7, %8 : tensor<64xf32>
    %10 = arith.constant 0 : index
    %w:2 = scf.while (%j = %10, %a = %9) : (index, tensor<64xf32>) -> (index, tensor<64xf32>) {
      %lim = arith.constant 4 : index
      %go = arith.cmpi slt, %j, %lim : index
      scf.condition(%go) %j, %a : index, tensor<64xf32>
    } do {
    ^bb0(%j2: index, %a2: tensor<64xf32>):
      %one = arith.constant 1 : index
      %nj = arith.addi %j2, %one : index
      %q = arith.divf %9, %a2 : tensor<64xf32>
      %s = arith.addf %q, %a2 : tensor<64xf32>
      %h = arith.constant dense<0.5> : tensor<64xf32>
      %r = arith.mulf %s, %h : tensor<64xf32>
      scf.yield %nj, %r : index, tensor<64xf32>
    }
    %11 = ktdp.construct_memory_view %y_ptr, sizes: [256], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 255 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<256xf32>
    %12 = ktdp.construct_access_tile %11[%3] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 63 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<256xf32> -> !ktdp.access_tile<64xindex>
    ktdp.store %w#1, %12 : tensor<64xf32>, <64xindex>
    return
  }
}
