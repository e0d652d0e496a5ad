// Layer norm with scale and shift rows.
module {
  func.func @layernorm(%x: index, %g: index, %b: index, %out: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [32, 256], strides: [256, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 31 >= 0, j >= 0, -j + 255 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32x256xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [32, 256], strides: [256, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 31 >= 0, j >= 0, -j + 255 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32x256xf16>
    %xt = ktdp.construct_access_tile %xv[%me * 8, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 255 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<32x256xf16> -> !ktdp.access_tile<8x256xindex>
    %xd = ktdp.load %xt : <8x256xindex> -> tensor<8x256xf16>
    %gv = ktdp.construct_memory_view %g, sizes: [256], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 255 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<256xf16>
    %gt = ktdp.construct_access_tile %gv[0] {
      access_tile_set = affine_set<(i) : (i >= 0, -i + 255 >= 0)>,
      access_tile_order = affine_map<(i) -> (i)>
    } : memref<256xf16> -> !ktdp.access_tile<256xindex>
    %gd = ktdp.load %gt : <256xindex> -> tensor<256xf16>
    %bv = ktdp.construct_memory_view %b, sizes: [256], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 255 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<256xf16>
    %bt = ktdp.construct_access_tile %bv[0] {
      access_tile_set = affine_set<(i) : (i >= 0, -i + 255 >= 0)>,
      access_tile_order = affine_map<(i) -> (i)>
    } : memref<256xf16> -> !ktdp.access_tile<256xindex>
    %bd = ktdp.load %bt : <256xindex> -> tensor<256xf16>
    %xw = arith.extf %xd : tensor<8x256xf16> to tensor<8x256xf32>
    %z = arith.constant dense<0.000000e+00> : tensor<8xf32>
    %s = linalg.reduce { arith.addf } ins(%xw : tensor<8x256xf32>) outs(%z : tensor<8xf32>) dimensions = [1]
    %n = arith.constant dense<3.906250e-03> : tensor<8xf32>
    %mean = arith.mulf %s, %n : tensor<8xf32>
    %mbe = tensor.empty() : tensor<8x256xf32>
    %mb = linalg.broadcast ins(%mean : tensor<8xf32>) outs(%mbe : tensor<8x256xf32>) dimensions = [1]
    %c = arith.subf %xw, %mb : tensor<8x256xf32>
    %sq = arith.mulf %c, %c : tensor<8x256xf32>
    %v = linalg.reduce { arith.addf } ins(%sq : tensor<8x256xf32>) outs(%z : tensor<8xf32>) dimensions = [1]
    %var = arith.mulf %v, %n : tensor<8xf32>
    %eps = arith.constant dense<1.000000e-05> : tensor<8xf32>
    %ve = arith.addf %var, %eps : tensor<8xf32>
    %inv = math.rsqrt %ve : tensor<8xf32>
    %ibe = tensor.empty() : tensor<8x256xf32>
    %ib = linalg.broadcast ins(%inv : tensor<8xf32>) outs(%ibe : tensor<8x256xf32>) dimensions = [1]
    %y = arith.mulf %c, %ib : tensor<8x256xf32>
    %yh = arith.truncf %y : tensor<8x256xf32> to tensor<8x256xf16>
    %gbe = tensor.empty() : tensor<8x256xf16>
    %gb = linalg.broadcast ins(%gd : tensor<256xf16>) outs(%gbe : tensor<8x256xf16>) dimensions = [0]
    %yg = arith.mulf %yh, %gb : tensor<8x256xf16>
    %bbe = tensor.empty() : tensor<8x256xf16>
    %bb = linalg.broadcast ins(%bd : tensor<256xf16>) outs(%bbe : tensor<8x256xf16>) dimensions = [0]
    %r = arith.addf %yg, %bb : tensor<8x256xf16>
    %ot = ktdp.construct_access_tile %outv[%me * 8, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 255 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<32x256xf16> -> !ktdp.access_tile<8x256xindex>
    ktdp.store %r, %ot : tensor<8x256xf16>, <8x256xindex>
    return
  }
}
