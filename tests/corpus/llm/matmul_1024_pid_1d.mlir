// 1024 cubed on a 1-D grid of 32 tiles.
module {
  func.func @matmul_1024_pid_1d(%a: index, %b: index, %c: index) attributes {grid = [32]} {
    %pid = ktdp.get_compute_tile_id : index
    %p = arith.index_cast %pid : index to i32
    %cn = arith.constant 8 : i32
    %cm = arith.constant 256 : i32
    %cw = arith.constant 128 : i32
    %pm = arith.divsi %p, %cn : i32
    %pn = arith.remsi %p, %cn : i32
    %mo = arith.muli %pm, %cm : i32
    %no = arith.muli %pn, %cw : i32
    %m0 = arith.index_cast %mo : i32 to index
    %n0 = arith.index_cast %no : i32 to index
    %z = arith.constant 0 : index
    %av = ktdp.construct_memory_view %a, sizes: [1024, 1024], strides: [1024, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 1023 >= 0, d1 >= 0, -d1 + 1023 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<1024x1024xf16>
    %bv = ktdp.construct_memory_view %b, sizes: [1024, 1024], strides: [1024, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 1023 >= 0, d1 >= 0, -d1 + 1023 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<1024x1024xf16>
    %cv = ktdp.construct_memory_view %c, sizes: [1024, 1024], strides: [1024, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 1023 >= 0, d1 >= 0, -d1 + 1023 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<1024x1024xf16>
    %at_t = ktdp.construct_access_tile %av[%m0, %z] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 255 >= 0, d1 >= 0, -d1 + 1023 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<1024x1024xf16> -> !ktdp.access_tile<256x1024xindex>
    %at = ktdp.load %at_t : !ktdp.access_tile<256x1024xindex> -> tensor<256x1024xf16>
    %bt_t = ktdp.construct_access_tile %bv[%z, %n0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 1023 >= 0, d1 >= 0, -d1 + 127 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<1024x1024xf16> -> !ktdp.access_tile<1024x128xindex>
    %bt = ktdp.load %bt_t : !ktdp.access_tile<1024x128xindex> -> tensor<1024x128xf16>
    %zero = arith.constant dense<0.000000e+00> : tensor<256x128xf32>
    %y = linalg.matmul ins(%at, %bt : tensor<256x1024xf16>, tensor<1024x128xf16>) outs(%zero : tensor<256x128xf32>) -> tensor<256x128xf32>
    %o = arith.truncf %y : tensor<256x128xf32> to tensor<256x128xf16>
    %o_st = ktdp.construct_access_tile %cv[%m0, %n0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 255 >= 0, d1 >= 0, -d1 + 127 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<1024x1024xf16> -> !ktdp.access_tile<256x128xindex>
    ktdp.store %o, %o_st : tensor<256x128xf16>, !ktdp.access_tile<256x128xindex>
    return
  }
}
