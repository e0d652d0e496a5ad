module {
  func.func @softmax_df16_stick(%x: index, %y: index) attributes {grid = [2]} {
    %c4 = arith.constant 4 : index
    %pid = ktdp.get_compute_tile_id : index
    %r = arith.muli %pid, %c4 : index
    %ninf = arith.constant dense<-1.0e+04> : tensor<4xf32>
    %nd = arith.truncf %ninf : tensor<4xf32> to tensor<4x!spyreop.df16>
    %z = arith.constant dense<0.0> : tensor<4xf32>
    %zd = arith.truncf %z : tensor<4xf32> to tensor<4x!spyreop.df16>
    %xv = ktdp.construct_memory_view %x, sizes: [2, 8, 64], strides: [512, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 7 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2x8x64x!spyreop.df16>
    %yv = ktdp.construct_memory_view %y, sizes: [2, 8, 64], strides: [512, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 7 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2x8x64x!spyreop.df16>
    %at0 = ktdp.construct_access_tile %xv[0, %r, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 3 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<2x8x64x!spyreop.df16> -> !ktdp.access_tile<2x4x64xindex>
      %a = ktdp.load %at0 : !ktdp.access_tile<2x4x64xindex> -> tensor<2x4x64x!spyreop.df16>
    %m = linalg.reduce { arith.maximumf } ins(%a : tensor<2x4x64x!spyreop.df16>) outs(%nd : tensor<4x!spyreop.df16>) dimensions = [0, 2]
    %be1 = tensor.empty() : tensor<2x4x64x!spyreop.df16>
      %mb = linalg.broadcast ins(%m : tensor<4x!spyreop.df16>) outs(%be1 : tensor<2x4x64x!spyreop.df16>) dimensions = [0, 2]
    %s = arith.subf %a, %mb : tensor<2x4x64x!spyreop.df16>
    %e = math.exp %s : tensor<2x4x64x!spyreop.df16>
    %d = linalg.reduce { arith.addf } ins(%e : tensor<2x4x64x!spyreop.df16>) outs(%zd : tensor<4x!spyreop.df16>) dimensions = [0, 2]
    %be2 = tensor.empty() : tensor<2x4x64x!spyreop.df16>
      %db = linalg.broadcast ins(%d : tensor<4x!spyreop.df16>) outs(%be2 : tensor<2x4x64x!spyreop.df16>) dimensions = [0, 2]
    %o = arith.divf %e, %db : tensor<2x4x64x!spyreop.df16>
    %at3 = ktdp.construct_access_tile %yv[0, %r, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 3 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<2x8x64x!spyreop.df16> -> !ktdp.access_tile<2x4x64xindex>
      ktdp.store %o, %at3 : tensor<2x4x64x!spyreop.df16>, !ktdp.access_tile<2x4x64xindex>
    return
  }
}
