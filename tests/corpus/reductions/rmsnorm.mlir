// RMS norm with a weight row.
module {
  func.func @rmsnorm(%x: index, %w: index, %out: index) attributes {grid = [8]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [64, 192], strides: [192, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 63 >= 0, j >= 0, -j + 191 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<64x192xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [64, 192], strides: [192, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 63 >= 0, j >= 0, -j + 191 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<64x192xf16>
    %xt = ktdp.construct_access_tile %xv[%me * 8, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 191 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<64x192xf16> -> !ktdp.access_tile<8x192xindex>
    %xd = ktdp.load %xt : <8x192xindex> -> tensor<8x192xf16>
    %wv = ktdp.construct_memory_view %w, sizes: [192], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 191 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<192xf16>
    %wt = ktdp.construct_access_tile %wv[0] {
      access_tile_set = affine_set<(i) : (i >= 0, -i + 191 >= 0)>,
      access_tile_order = affine_map<(i) -> (i)>
    } : memref<192xf16> -> !ktdp.access_tile<192xindex>
    %wd = ktdp.load %wt : <192xindex> -> tensor<192xf16>
    %xw = arith.extf %xd : tensor<8x192xf16> to tensor<8x192xf32>
    %sq = arith.mulf %xw, %xw : tensor<8x192xf32>
    %z = arith.constant dense<0.000000e+00> : tensor<8xf32>
    %s = linalg.reduce { arith.addf } ins(%sq : tensor<8x192xf32>) outs(%z : tensor<8xf32>) dimensions = [1]
    %n = arith.constant dense<5.208333e-03> : tensor<8xf32>
    %ms = arith.mulf %s, %n : tensor<8xf32>
    %eps = arith.constant dense<1.000000e-05> : tensor<8xf32>
    %me2 = arith.addf %ms, %eps : tensor<8xf32>
    %inv = math.rsqrt %me2 : tensor<8xf32>
    %ibe = tensor.empty() : tensor<8x192xf32>
    %ib = linalg.broadcast ins(%inv : tensor<8xf32>) outs(%ibe : tensor<8x192xf32>) dimensions = [1]
    %y = arith.mulf %xw, %ib : tensor<8x192xf32>
    %yh = arith.truncf %y : tensor<8x192xf32> to tensor<8x192xf16>
    %wbe = tensor.empty() : tensor<8x192xf16>
    %wb = linalg.broadcast ins(%wd : tensor<192xf16>) outs(%wbe : tensor<8x192xf16>) dimensions = [0]
    %r = arith.mulf %yh, %wb : tensor<8x192xf16>
    %ot = ktdp.construct_access_tile %outv[%me * 8, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 191 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<64x192xf16> -> !ktdp.access_tile<8x192xindex>
    ktdp.store %r, %ot : tensor<8x192xf16>, <8x192xindex>
    return
  }
}
