// Word and position embeddings, summed and normalised
module {
  func.func @embedding_layernorm(%ids_ptr: index, %tab_ptr: index, %pos_ptr: index, %y_ptr: index) attributes {grid = [4]} {
    %c4 = arith.constant 4 : index
    %z = arith.constant dense<0.000000e+00> : tensor<4xf32>
    %n = arith.constant dense<9.600000e+01> : tensor<4xf32>
    %eps = arith.constant dense<9.99999996E-13> : tensor<4xf32>
    %pid = ktdp.get_compute_tile_id : index
    %r = arith.muli %pid, %c4 : index
    %ids = ktdp.construct_memory_view %ids_ptr, sizes: [16], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 15 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<16xi32>
    %tab = ktdp.construct_memory_view %tab_ptr, sizes: [50, 96], strides: [96, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 49 >= 0, d1 >= 0, -d1 + 95 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<50x96xf16>
    %pos = ktdp.construct_memory_view %pos_ptr, sizes: [16, 96], strides: [96, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 95 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<16x96xf16>
    %y = ktdp.construct_memory_view %y_ptr, sizes: [16, 96], strides: [96, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 95 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<16x96xf16>
    %t = ktdp.construct_indirect_access_tile intermediate_variables(%a, %b) %tab[ind(%ids[%r + %a]), (%b)] {variables_space_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 95 >= 0)>, variables_space_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<50x96xf16>, memref<16xi32> -> !ktdp.access_tile<4x96xindex>
    %e = ktdp.load %t : !ktdp.access_tile<4x96xindex> -> tensor<4x96xf16>
    %at90 = ktdp.construct_access_tile %pos[%r, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 95 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<16x96xf16> -> !ktdp.access_tile<4x96xindex>
      %p = ktdp.load %at90 : !ktdp.access_tile<4x96xindex> -> tensor<4x96xf16>
    %s0 = arith.addf %e, %p : tensor<4x96xf16>
    %s = arith.extf %s0 : tensor<4x96xf16> to tensor<4x96xf32>
    %su = linalg.reduce { arith.addf } ins(%s : tensor<4x96xf32>) outs(%z : tensor<4xf32>) dimensions = [1]
    %m = arith.divf %su, %n : tensor<4xf32>
    %be91 = tensor.empty() : tensor<4x96xf32>
      %mb = linalg.broadcast ins(%m : tensor<4xf32>) outs(%be91 : tensor<4x96xf32>) dimensions = [1]
    %d = arith.subf %s, %mb : tensor<4x96xf32>
    %q = arith.mulf %d, %d : tensor<4x96xf32>
    %sq = linalg.reduce { arith.addf } ins(%q : tensor<4x96xf32>) outs(%z : tensor<4xf32>) dimensions = [1]
    %v = arith.divf %sq, %n : tensor<4xf32>
    %ve = arith.addf %v, %eps : tensor<4xf32>
    %rs = math.rsqrt %ve : tensor<4xf32>
    %be92 = tensor.empty() : tensor<4x96xf32>
      %rb = linalg.broadcast ins(%rs : tensor<4xf32>) outs(%be92 : tensor<4x96xf32>) dimensions = [1]
    %o = arith.mulf %d, %rb : tensor<4x96xf32>
    %h = arith.truncf %o : tensor<4x96xf32> to tensor<4x96xf16>
    %at93 = ktdp.construct_access_tile %y[%r, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 95 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<16x96xf16> -> !ktdp.access_tile<4x96xindex>
      ktdp.store %h, %at93 : tensor<4x96xf16>, !ktdp.access_tile<4x96xindex>
    return
  }
}
