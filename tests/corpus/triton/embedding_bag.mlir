module {
  func.func @embedding_bag(%ids_ptr: index, %tab_ptr: index, %y_ptr: index) attributes {grid = [4]} {
    %pid = ktdp.get_compute_tile_id : index
    %z = arith.constant dense<0.0> : tensor<1x64xf32>
    %ids = ktdp.construct_memory_view %ids_ptr, sizes: [4, 6], strides: [6, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 5 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x6xi32>
    %tab = ktdp.construct_memory_view %tab_ptr, sizes: [30, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 29 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<30x64xf32>
    %y = ktdp.construct_memory_view %y_ptr, sizes: [4, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x64xf32>
    %t = ktdp.construct_indirect_access_tile intermediate_variables(%a, %b, %c) %tab[ind(%ids[%pid + %a, %b]), (%c)] {variables_space_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 5 >= 0, d2 >= 0, -d2 + 63 >= 0)>, variables_space_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<30x64xf32>, memref<4x6xi32> -> !ktdp.access_tile<1x6x64xindex>
    %e = ktdp.load %t : !ktdp.access_tile<1x6x64xindex> -> tensor<1x6x64xf32>
    %s = linalg.reduce { arith.addf } ins(%e : tensor<1x6x64xf32>) outs(%z : tensor<1x64xf32>) dimensions = [1]
    %at38 = ktdp.construct_access_tile %y[%pid, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<4x64xf32> -> !ktdp.access_tile<1x64xindex>
      ktdp.store %s, %at38 : tensor<1x64xf32>, !ktdp.access_tile<1x64xindex>
    return
  }
}
