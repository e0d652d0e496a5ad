// RMS norm at 4096x4096.
module {
  func.func @rmsnorm_4096x4096(%x: index, %w: index, %out: index) attributes {grid = [32]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [4096, 4096], strides: [4096, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 4095 >= 0, j >= 0, -j + 4095 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<4096x4096xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [4096, 4096], strides: [4096, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 4095 >= 0, j >= 0, -j + 4095 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<4096x4096xf16>
    %xt = ktdp.construct_access_tile %xv[%me * 128, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 127 >= 0, j >= 0, -j + 4095 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<4096x4096xf16> -> !ktdp.access_tile<128x4096xindex>
    %xd = ktdp.load %xt : <128x4096xindex> -> tensor<128x4096xf16>
    %wv = ktdp.construct_memory_view %w, sizes: [4096], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 4095 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<4096xf16>
    %wt = ktdp.construct_access_tile %wv[0] {
      access_tile_set = affine_set<(i) : (i >= 0, -i + 4095 >= 0)>,
      access_tile_order = affine_map<(i) -> (i)>
    } : memref<4096xf16> -> !ktdp.access_tile<4096xindex>
    %wd = ktdp.load %wt : <4096xindex> -> tensor<4096xf16>
    %xw = arith.extf %xd : tensor<128x4096xf16> to tensor<128x4096xf32>
    %sq = arith.mulf %xw, %xw : tensor<128x4096xf32>
    %z = arith.constant dense<0.000000e+00> : tensor<128xf32>
    %s = linalg.reduce { arith.addf } ins(%sq : tensor<128x4096xf32>) outs(%z : tensor<128xf32>) dimensions = [1]
    %n = arith.constant dense<2.441406e-04> : tensor<128xf32>
    %ms = arith.mulf %s, %n : tensor<128xf32>
    %eps = arith.constant dense<1.000000e-05> : tensor<128xf32>
    %me2 = arith.addf %ms, %eps : tensor<128xf32>
    %inv = math.rsqrt %me2 : tensor<128xf32>
    %ibe = tensor.empty() : tensor<128x4096xf32>
    %ib = linalg.broadcast ins(%inv : tensor<128xf32>) outs(%ibe : tensor<128x4096xf32>) dimensions = [1]
    %y = arith.mulf %xw, %ib : tensor<128x4096xf32>
    %yh = arith.truncf %y : tensor<128x4096xf32> to tensor<128x4096xf16>
    %wbe = tensor.empty() : tensor<128x4096xf16>
    %wb = linalg.broadcast ins(%wd : tensor<4096xf16>) outs(%wbe : tensor<128x4096xf16>) dimensions = [0]
    %r = arith.mulf %yh, %wb : tensor<128x4096xf16>
    %ot = ktdp.construct_access_tile %outv[%me * 128, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 127 >= 0, j >= 0, -j + 4095 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<4096x4096xf16> -> !ktdp.access_tile<128x4096xindex>
    ktdp.store %r, %ot : tensor<128x4096xf16>, <128x4096xindex>
    return
  }
}
