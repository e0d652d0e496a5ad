module {
  func.func @one_hot(%i_ptr: index, %y_ptr: index) attributes {grid = [2]} {
    %c4 = arith.constant 4 : index
    %pid = ktdp.get_compute_tile_id : index
    %r = arith.muli %pid, %c4 : index
    %iv = ktdp.construct_memory_view %i_ptr, sizes: [8], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 7 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<8xi32>
    %y = ktdp.construct_memory_view %y_ptr, sizes: [8, 20], strides: [20, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 19 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<8x20xf16>
    %at59 = ktdp.construct_access_tile %iv[%r] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<8xi32> -> !ktdp.access_tile<4xindex>
      %a = ktdp.load %at59 : !ktdp.access_tile<4xindex> -> tensor<4xi32>
    %be60 = tensor.empty() : tensor<4x20xi32>
      %ab = linalg.broadcast ins(%a : tensor<4xi32>) outs(%be60 : tensor<4x20xi32>) dimensions = [1]
    %ie61 = tensor.empty() : tensor<4x20xi32>
    %ids = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%ie61 : tensor<4x20xi32>) {
    ^bb0(%q: i32):
    %ix = linalg.index 1 : index
    %iw = arith.index_cast %ix : index to i32
    linalg.yield %iw : i32
    } -> tensor<4x20xi32>
    %eq = arith.cmpi eq, %ids, %ab : tensor<4x20xi32>
    %f = arith.uitofp %eq : tensor<4x20xi1> to tensor<4x20xf16>
    %at62 = ktdp.construct_access_tile %y[%r, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 19 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<8x20xf16> -> !ktdp.access_tile<4x20xindex>
      ktdp.store %f, %at62 : tensor<4x20xf16>, !ktdp.access_tile<4x20xindex>
    return
  }
}
