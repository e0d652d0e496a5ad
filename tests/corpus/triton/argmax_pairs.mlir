// Arg-max of rows with ties to the smaller index, as Triton's reduce combines pairs
module {
  func.func @argmax_pairs(%x_ptr: index, %i_ptr: index, %v_ptr: index) attributes {grid = [4]} {
    %c4 = arith.constant 4 : index
    %ninf = arith.constant dense<0xFF800000> : tensor<4xf32>
    %z = arith.constant dense<0> : tensor<4xi32>
    %pid = ktdp.get_compute_tile_id : index
    %r = arith.muli %pid, %c4 : index
    %x = ktdp.construct_memory_view %x_ptr, sizes: [16, 77], strides: [77, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 76 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<16x77xf32>
    %iv = ktdp.construct_memory_view %i_ptr, sizes: [16], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 15 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<16xi32>
    %vv = ktdp.construct_memory_view %v_ptr, sizes: [16], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 15 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<16xf32>
    %at94 = ktdp.construct_access_tile %x[%r, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 76 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<16x77xf32> -> !ktdp.access_tile<4x77xindex>
      %v = ktdp.load %at94 : !ktdp.access_tile<4x77xindex> -> tensor<4x77xf32>
    %e = tensor.empty() : tensor<4x77xi32>
    %ids = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<4x77xi32>) {
    ^bb0(%q: i32):
    %ix = linalg.index 1 : index
    %iw = arith.index_cast %ix : index to i32
    linalg.yield %iw : i32
    } -> tensor<4x77xi32>
    %m:2 = linalg.reduce ins(%v, %ids : tensor<4x77xf32>, tensor<4x77xi32>) outs(%ninf, %z : tensor<4xf32>, tensor<4xi32>) dimensions = [1]
    (%a: f32, %ai: i32, %b: f32, %bi: i32) {
    %gt = arith.cmpf ogt, %b, %a : f32
    %eq = arith.cmpf oeq, %b, %a : f32
    %lt = arith.cmpi slt, %bi, %ai : i32
    %tie = arith.andi %eq, %lt : i1
    %take = arith.ori %gt, %tie : i1
    %sv = arith.select %take, %b, %a : f32
    %si = arith.select %take, %bi, %ai : i32
    linalg.yield %sv, %si : f32, i32
    }
    %at95 = ktdp.construct_access_tile %iv[%r] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<16xi32> -> !ktdp.access_tile<4xindex>
      ktdp.store %m#1, %at95 : tensor<4xi32>, !ktdp.access_tile<4xindex>
    %at96 = ktdp.construct_access_tile %vv[%r] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<16xf32> -> !ktdp.access_tile<4xindex>
      ktdp.store %m#0, %at96 : tensor<4xf32>, !ktdp.access_tile<4xindex>
    return
  }
}
