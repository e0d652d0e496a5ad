module {
  func.func @causal_scores_softmax(%x_ptr: index, %y_ptr: index, %scale: f32) attributes {grid = [2, 5]} {
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %b0:2 = ktdp.get_compute_tile_id : index, index
    %h = arith.muli %b0#0, %c2 : index
    %r = arith.muli %b0#1, %c8 : index
    %z = arith.constant dense<0.0> : tensor<2x8xf32>
    %ninf = arith.constant dense<0xFF800000> : tensor<2x8xf32>
    %big = arith.constant dense<-1.0e+09> : tensor<2x8x40xf32>
    %x = ktdp.construct_memory_view %x_ptr, sizes: [4, 40, 40], strides: [1600, 40, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 39 >= 0, d2 >= 0, -d2 + 39 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x40x40xf16>
    %y = ktdp.construct_memory_view %y_ptr, sizes: [4, 40, 40], strides: [1600, 40, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 39 >= 0, d2 >= 0, -d2 + 39 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4x40x40xf16>
    %at7 = ktdp.construct_access_tile %x[%h, %r, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 7 >= 0, d2 >= 0, -d2 + 39 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<4x40x40xf16> -> !ktdp.access_tile<2x8x40xindex>
      %a = ktdp.load %at7 : !ktdp.access_tile<2x8x40xindex> -> tensor<2x8x40xf16>
    %f0 = arith.extf %a : tensor<2x8x40xf16> to tensor<2x8x40xf32>
    %sc = tensor.splat %scale : tensor<2x8x40xf32>
    %f = arith.mulf %f0, %sc : tensor<2x8x40xf32>
    %ie8 = tensor.empty() : tensor<2x8x40xi32>
    %rows = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%ie8 : tensor<2x8x40xi32>) {
    ^bb0(%q: i32):
    %ix = linalg.index 1 : index
    %iw = arith.index_cast %ix : index to i32
    linalg.yield %iw : i32
    } -> tensor<2x8x40xi32>
    %ie9 = tensor.empty() : tensor<2x8x40xi32>
    %cols = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%ie9 : tensor<2x8x40xi32>) {
    ^bb0(%q: i32):
    %ix = linalg.index 2 : index
    %iw = arith.index_cast %ix : index to i32
    linalg.yield %iw : i32
    } -> tensor<2x8x40xi32>
    %ri = arith.index_cast %r : index to i32
    %rs = tensor.splat %ri : tensor<2x8x40xi32>
    %ra = arith.addi %rows, %rs : tensor<2x8x40xi32>
    %ok = arith.cmpi sle, %cols, %ra : tensor<2x8x40xi32>
    %g = arith.select %ok, %f, %big : tensor<2x8x40xi1>, tensor<2x8x40xf32>
    %m = linalg.reduce { arith.maximumf } ins(%g : tensor<2x8x40xf32>) outs(%ninf : tensor<2x8xf32>) dimensions = [2]
    %be10 = tensor.empty() : tensor<2x8x40xf32>
      %mb = linalg.broadcast ins(%m : tensor<2x8xf32>) outs(%be10 : tensor<2x8x40xf32>) dimensions = [2]
    %s = arith.subf %g, %mb : tensor<2x8x40xf32>
    %e = math.exp2 %s : tensor<2x8x40xf32>
    %d = linalg.reduce { arith.addf } ins(%e : tensor<2x8x40xf32>) outs(%z : tensor<2x8xf32>) dimensions = [2]
    %be11 = tensor.empty() : tensor<2x8x40xf32>
      %db = linalg.broadcast ins(%d : tensor<2x8xf32>) outs(%be11 : tensor<2x8x40xf32>) dimensions = [2]
    %o = arith.divf %e, %db : tensor<2x8x40xf32>
    %oh = arith.truncf %o : tensor<2x8x40xf32> to tensor<2x8x40xf16>
    %at12 = ktdp.construct_access_tile %y[%h, %r, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 7 >= 0, d2 >= 0, -d2 + 39 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<4x40x40xf16> -> !ktdp.access_tile<2x8x40xindex>
      ktdp.store %oh, %at12 : tensor<2x8x40xf16>, !ktdp.access_tile<2x8x40xindex>
    return
  }
}
