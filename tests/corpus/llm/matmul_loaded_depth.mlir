// The depth of a product is loaded: blocks of 32, the last one masked
module {
  func.func @matmul_loaded_depth(%a: index, %b: index, %depth: index, %c: index) attributes {grid = [2]} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %pid = ktdp.get_compute_tile_id : index
    %av = ktdp.construct_memory_view %a, sizes: [32, 128], strides: [128, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 127 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<32x128xf16>
    %bv = ktdp.construct_memory_view %b, sizes: [128, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 127 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<128x64xf16>
    %nv = ktdp.construct_memory_view %depth, sizes: [2], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2xi32>
    %cv = ktdp.construct_memory_view %c, sizes: [32, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<32x64xf32>
    %z = arith.constant dense<0.000000e+00> : tensor<16x64xf32>
    %zh = arith.constant dense<0.000000e+00> : tensor<16x32xf16>
    %c16 = arith.constant 16 : index
    %n_v_t = ktdp.construct_access_tile %nv[%pid] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<2xi32> -> !ktdp.access_tile<1xindex>
    %n_v = ktdp.load %n_v_t : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %n_i = tensor.extract %n_v[%c0] : tensor<1xi32>
    %n = arith.index_cast %n_i : i32 to index
    %row = arith.muli %pid, %c16 : index
    %r = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %z) -> (tensor<16x64xf32>) {
      %a0_t = ktdp.construct_access_tile %av[%row, %k] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<32x128xf16> -> !ktdp.access_tile<16x32xindex>
      %a0 = ktdp.load %a0_t : !ktdp.access_tile<16x32xindex> -> tensor<16x32xf16>
      %b0_t = ktdp.construct_access_tile %bv[%k, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<128x64xf16> -> !ktdp.access_tile<32x64xindex>
      %b0 = ktdp.load %b0_t : !ktdp.access_tile<32x64xindex> -> tensor<32x64xf16>
      %left = arith.subi %n, %k : index
      %mask = tensor.generate {
      ^bb0(%x: index, %y: index):
        %in = arith.cmpi slt, %y, %left : index
        tensor.yield %in : i1
      } : tensor<16x32xi1>
      %a1 = arith.select %mask, %a0, %zh : tensor<16x32xi1>, tensor<16x32xf16>
      %d = linalg.matmul ins(%a1, %b0 : tensor<16x32xf16>, tensor<32x64xf16>) outs(%z : tensor<16x64xf32>) -> tensor<16x64xf32>
      %s = arith.addf %acc, %d : tensor<16x64xf32>
      scf.yield %s : tensor<16x64xf32>
    }
    %at_4 = ktdp.construct_access_tile %cv[%row, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<32x64xf32> -> !ktdp.access_tile<16x64xindex>
    ktdp.store %r, %at_4 : tensor<16x64xf32>, !ktdp.access_tile<16x64xindex>
    return
  }
}
