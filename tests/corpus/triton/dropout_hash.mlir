// Dropout with random bits from an integer hash of offset and seed
module {
  func.func @dropout_hash(%x_ptr: index, %y_ptr: index, %seed: i32) attributes {grid = [8]} {
    %c128 = arith.constant 128 : i32
    %pid = ktdp.get_compute_tile_id : index
    %p = arith.index_cast %pid : index to i32
    %b = arith.muli %p, %c128 : i32
    %bi = arith.index_cast %b : i32 to index
    %x = ktdp.construct_memory_view %x_ptr, sizes: [1024], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 1023 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<1024xf32>
    %y = ktdp.construct_memory_view %y_ptr, sizes: [1024], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 1023 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<1024xf32>
    %at87 = ktdp.construct_access_tile %x[%bi] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 127 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<1024xf32> -> !ktdp.access_tile<128xindex>
      %v = ktdp.load %at87 : !ktdp.access_tile<128xindex> -> tensor<128xf32>
    %e = tensor.empty() : tensor<128xi32>
    %ids = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<128xi32>) {
    ^bb0(%q: i32):
    %ix = linalg.index 0 : index
    %iv = arith.index_cast %ix : index to i32
    linalg.yield %iv : i32
    } -> tensor<128xi32>
    %bs = tensor.splat %b : tensor<128xi32>
    %ss = tensor.splat %seed : tensor<128xi32>
    %o = arith.addi %ids, %bs : tensor<128xi32>
    %k1 = arith.constant dense<-1640531527> : tensor<128xi32>
    %k2 = arith.constant dense<13> : tensor<128xi32>
    %k3 = arith.constant dense<16777215> : tensor<128xi32>
    %h0 = arith.xori %o, %ss : tensor<128xi32>
    %h1 = arith.muli %h0, %k1 : tensor<128xi32>
    %h2 = arith.shrui %h1, %k2 : tensor<128xi32>
    %h3 = arith.xori %h1, %h2 : tensor<128xi32>
    %h4 = arith.andi %h3, %k3 : tensor<128xi32>
    %u = arith.uitofp %h4 : tensor<128xi32> to tensor<128xf32>
    %sc = arith.constant dense<5.96046448E-8> : tensor<128xf32>
    %r = arith.mulf %u, %sc : tensor<128xf32>
    %pp = arith.constant dense<3.000000e-01> : tensor<128xf32>
    %inv = arith.constant dense<1.42857146> : tensor<128xf32>
    %zero = arith.constant dense<0.000000e+00> : tensor<128xf32>
    %keep = arith.cmpf ogt, %r, %pp : tensor<128xf32>
    %w = arith.mulf %v, %inv : tensor<128xf32>
    %out = arith.select %keep, %w, %zero : tensor<128xi1>, tensor<128xf32>
    %at88 = ktdp.construct_access_tile %y[%bi] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 127 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<1024xf32> -> !ktdp.access_tile<128xindex>
      ktdp.store %out, %at88 : tensor<128xf32>, !ktdp.access_tile<128xindex>
    return
  }
}
