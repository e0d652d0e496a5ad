// Layer norm at 4096x1024.
module {
  func.func @layernorm_4096x1024(%x: index, %g: index, %b: index, %out: index) attributes {grid = [32]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [4096, 1024], strides: [1024, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 4095 >= 0, j >= 0, -j + 1023 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<4096x1024xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [4096, 1024], strides: [1024, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 4095 >= 0, j >= 0, -j + 1023 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<4096x1024xf16>
    %xt = ktdp.construct_access_tile %xv[%me * 128, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 127 >= 0, j >= 0, -j + 1023 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<4096x1024xf16> -> !ktdp.access_tile<128x1024xindex>
    %xd = ktdp.load %xt : <128x1024xindex> -> tensor<128x1024xf16>
    %gv = ktdp.construct_memory_view %g, sizes: [1024], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 1023 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<1024xf16>
    %gt = ktdp.construct_access_tile %gv[0] {
      access_tile_set = affine_set<(i) : (i >= 0, -i + 1023 >= 0)>,
      access_tile_order = affine_map<(i) -> (i)>
    } : memref<1024xf16> -> !ktdp.access_tile<1024xindex>
    %gd = ktdp.load %gt : <1024xindex> -> tensor<1024xf16>
    %bv = ktdp.construct_memory_view %b, sizes: [1024], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 1023 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<1024xf16>
    %bt = ktdp.construct_access_tile %bv[0] {
      access_tile_set = affine_set<(i) : (i >= 0, -i + 1023 >= 0)>,
      access_tile_order = affine_map<(i) -> (i)>
    } : memref<1024xf16> -> !ktdp.access_tile<1024xindex>
    %bd = ktdp.load %bt : <1024xindex> -> tensor<1024xf16>
    %xw = arith.extf %xd : tensor<128x1024xf16> to tensor<128x1024xf32>
    %z = arith.constant dense<0.000000e+00> : tensor<128xf32>
    %s = linalg.reduce { arith.addf } ins(%xw : tensor<128x1024xf32>) outs(%z : tensor<128xf32>) dimensions = [1]
    %n = arith.constant dense<9.765625e-04> : tensor<128xf32>
    %mean = arith.mulf %s, %n : tensor<128xf32>
    %mbe = tensor.empty() : tensor<128x1024xf32>
    %mb = linalg.broadcast ins(%mean : tensor<128xf32>) outs(%mbe : tensor<128x1024xf32>) dimensions = [1]
    %c = arith.subf %xw, %mb : tensor<128x1024xf32>
    %sq = arith.mulf %c, %c : tensor<128x1024xf32>
    %v = linalg.reduce { arith.addf } ins(%sq : tensor<128x1024xf32>) outs(%z : tensor<128xf32>) dimensions = [1]
    %var = arith.mulf %v, %n : tensor<128xf32>
    %eps = arith.constant dense<1.000000e-05> : tensor<128xf32>
    %ve = arith.addf %var, %eps : tensor<128xf32>
    %inv = math.rsqrt %ve : tensor<128xf32>
    %ibe = tensor.empty() : tensor<128x1024xf32>
    %ib = linalg.broadcast ins(%inv : tensor<128xf32>) outs(%ibe : tensor<128x1024xf32>) dimensions = [1]
    %y = arith.mulf %c, %ib : tensor<128x1024xf32>
    %yh = arith.truncf %y : tensor<128x1024xf32> to tensor<128x1024xf16>
    %gbe = tensor.empty() : tensor<128x1024xf16>
    %gb = linalg.broadcast ins(%gd : tensor<1024xf16>) outs(%gbe : tensor<128x1024xf16>) dimensions = [0]
    %yg = arith.mulf %yh, %gb : tensor<128x1024xf16>
    %bbe = tensor.empty() : tensor<128x1024xf16>
    %bb = linalg.broadcast ins(%bd : tensor<1024xf16>) outs(%bbe : tensor<128x1024xf16>) dimensions = [0]
    %r = arith.addf %yg, %bb : tensor<128x1024xf16>
    %ot = ktdp.construct_access_tile %outv[%me * 128, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 127 >= 0, j >= 0, -j + 1023 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<4096x1024xf16> -> !ktdp.access_tile<128x1024xindex>
    ktdp.store %r, %ot : tensor<128x1024xf16>, <128x1024xindex>
    return
  }
}
