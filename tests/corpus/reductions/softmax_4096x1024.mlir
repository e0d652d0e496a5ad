// Row softmax at 4096x1024: device memory is read and written once.
module {
  func.func @softmax_4096x1024(%x: index, %out: index) attributes {grid = [32]} {
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
    %xw = arith.extf %xd : tensor<128x1024xf16> to tensor<128x1024xf32>
    %ninf = arith.constant dense<0xFF800000> : tensor<128xf32>
    %m = linalg.reduce { arith.maximumf } ins(%xw : tensor<128x1024xf32>) outs(%ninf : tensor<128xf32>) dimensions = [1]
    %mbe = tensor.empty() : tensor<128x1024xf32>
    %mb = linalg.broadcast ins(%m : tensor<128xf32>) outs(%mbe : tensor<128x1024xf32>) dimensions = [1]
    %d = arith.subf %xw, %mb : tensor<128x1024xf32>
    %e = math.exp %d : tensor<128x1024xf32>
    %z = arith.constant dense<0.000000e+00> : tensor<128xf32>
    %s = linalg.reduce { arith.addf } ins(%e : tensor<128x1024xf32>) outs(%z : tensor<128xf32>) dimensions = [1]
    %sbe = tensor.empty() : tensor<128x1024xf32>
    %sb = linalg.broadcast ins(%s : tensor<128xf32>) outs(%sbe : tensor<128x1024xf32>) dimensions = [1]
    %q = arith.divf %e, %sb : tensor<128x1024xf32>
    %r = arith.truncf %q : tensor<128x1024xf32> to tensor<128x1024xf16>
    %ot = ktdp.construct_access_tile %outv[%me * 128, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 127 >= 0, j >= 0, -j + 1023 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<4096x1024xf16> -> !ktdp.access_tile<128x1024xindex>
    ktdp.store %r, %ot : tensor<128x1024xf16>, <128x1024xindex>
    return
  }
}
