module {
  func.func @activations(%x_ptr: index, %a_ptr: index, %b_ptr: index, %c_ptr: index) attributes {grid = [4]} {
    %c4 = arith.constant 4 : index
    %pid = ktdp.get_compute_tile_id : index
    %r = arith.muli %pid, %c4 : index
    %z = arith.constant dense<0.0> : tensor<4x50xf32>
    %one = arith.constant dense<1.0> : tensor<4x50xf32>
    %three = arith.constant dense<3.0> : tensor<4x50xf32>
    %six = arith.constant dense<6.0> : tensor<4x50xf32>
    %x = ktdp.construct_memory_view %x_ptr, sizes: [16, 50], strides: [50, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 49 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<16x50xf32>
    %av = ktdp.construct_memory_view %a_ptr, sizes: [16, 50], strides: [50, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 49 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<16x50xf32>
    %bv = ktdp.construct_memory_view %b_ptr, sizes: [16, 50], strides: [50, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 49 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<16x50xf32>
    %cv = ktdp.construct_memory_view %c_ptr, sizes: [16, 50], strides: [50, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 49 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<16x50xf32>
    %at55 = ktdp.construct_access_tile %x[%r, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 49 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<16x50xf32> -> !ktdp.access_tile<4x50xindex>
      %x0 = ktdp.load %at55 : !ktdp.access_tile<4x50xindex> -> tensor<4x50xf32>
    %e1 = math.expm1 %x0 : tensor<4x50xf32>
    %p = arith.cmpf ogt, %x0, %z : tensor<4x50xf32>
    %elu = arith.select %p, %x0, %e1 : tensor<4x50xi1>, tensor<4x50xf32>
    %x3 = arith.addf %x0, %three : tensor<4x50xf32>
    %x4 = arith.maximumf %x3, %z : tensor<4x50xf32>
    %x5 = arith.minimumf %x4, %six : tensor<4x50xf32>
    %x6 = arith.mulf %x0, %x5 : tensor<4x50xf32>
    %hs = arith.divf %x6, %six : tensor<4x50xf32>
    %ex = math.exp %x0 : tensor<4x50xf32>
    %sp = math.log1p %ex : tensor<4x50xf32>
    %th = math.tanh %sp : tensor<4x50xf32>
    %mish = arith.mulf %x0, %th : tensor<4x50xf32>
    %at56 = ktdp.construct_access_tile %av[%r, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 49 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<16x50xf32> -> !ktdp.access_tile<4x50xindex>
      ktdp.store %elu, %at56 : tensor<4x50xf32>, !ktdp.access_tile<4x50xindex>
    %at57 = ktdp.construct_access_tile %bv[%r, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 49 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<16x50xf32> -> !ktdp.access_tile<4x50xindex>
      ktdp.store %hs, %at57 : tensor<4x50xf32>, !ktdp.access_tile<4x50xindex>
    %at58 = ktdp.construct_access_tile %cv[%r, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 49 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<16x50xf32> -> !ktdp.access_tile<4x50xindex>
      ktdp.store %mish, %at58 : tensor<4x50xf32>, !ktdp.access_tile<4x50xindex>
    return
  }
}
