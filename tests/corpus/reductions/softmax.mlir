// Row softmax, rows of 300: maximum, sum and quotient in one program, with a masked tail.
module {
  func.func @softmax(%x: index, %out: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [64, 300], strides: [300, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 63 >= 0, j >= 0, -j + 299 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<64x300xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [64, 300], strides: [300, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 63 >= 0, j >= 0, -j + 299 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<64x300xf16>
    %xt = ktdp.construct_access_tile %xv[%me * 16, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 299 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<64x300xf16> -> !ktdp.access_tile<16x300xindex>
    %xd = ktdp.load %xt : <16x300xindex> -> tensor<16x300xf16>
    %xw = arith.extf %xd : tensor<16x300xf16> to tensor<16x300xf32>
    %ninf = arith.constant dense<0xFF800000> : tensor<16xf32>
    %m = linalg.reduce { arith.maximumf } ins(%xw : tensor<16x300xf32>) outs(%ninf : tensor<16xf32>) dimensions = [1]
    %mbe = tensor.empty() : tensor<16x300xf32>
    %mb = linalg.broadcast ins(%m : tensor<16xf32>) outs(%mbe : tensor<16x300xf32>) dimensions = [1]
    %d = arith.subf %xw, %mb : tensor<16x300xf32>
    %e = math.exp %d : tensor<16x300xf32>
    %z = arith.constant dense<0.000000e+00> : tensor<16xf32>
    %s = linalg.reduce { arith.addf } ins(%e : tensor<16x300xf32>) outs(%z : tensor<16xf32>) dimensions = [1]
    %sbe = tensor.empty() : tensor<16x300xf32>
    %sb = linalg.broadcast ins(%s : tensor<16xf32>) outs(%sbe : tensor<16x300xf32>) dimensions = [1]
    %q = arith.divf %e, %sb : tensor<16x300xf32>
    %r = arith.truncf %q : tensor<16x300xf32> to tensor<16x300xf16>
    %ot = ktdp.construct_access_tile %outv[%me * 16, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 299 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<64x300xf16> -> !ktdp.access_tile<16x300xindex>
    ktdp.store %r, %ot : tensor<16x300xf16>, <16x300xindex>
    return
  }
}
