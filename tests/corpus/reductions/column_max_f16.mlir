// Column maxima in f16.
module {
  func.func @column_max_f16(%x: index, %out: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [50, 512], strides: [512, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 49 >= 0, j >= 0, -j + 511 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<50x512xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [512], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 511 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<512xf16>
    %xt = ktdp.construct_access_tile %xv[0, %me * 128] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 49 >= 0, j >= 0, -j + 127 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<50x512xf16> -> !ktdp.access_tile<50x128xindex>
    %xd = ktdp.load %xt : <50x128xindex> -> tensor<50x128xf16>
    %i = arith.constant dense<0xFC00> : tensor<128xf16>
    %r = linalg.reduce { arith.maximumf } ins(%xd : tensor<50x128xf16>) outs(%i : tensor<128xf16>) dimensions = [0]
    %ot = ktdp.construct_access_tile %outv[%me * 128] {
      access_tile_set = affine_set<(i) : (i >= 0, -i + 127 >= 0)>,
      access_tile_order = affine_map<(i) -> (i)>
    } : memref<512xf16> -> !ktdp.access_tile<128xindex>
    ktdp.store %r, %ot : tensor<128xf16>, <128xindex>
    return
  }
}
