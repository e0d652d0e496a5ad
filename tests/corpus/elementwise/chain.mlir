// A chain gelu(a*b + c) - d written as separate linalg operations: fused into one program.
module {
  func.func @chain(%a: index, %b: index, %c: index, %d: index, %out: index) attributes {grid = [32]} {
    %me = ktdp.get_compute_tile_id : index
    %av = ktdp.construct_memory_view %a, sizes: [256, 128], strides: [128, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 255 >= 0, j >= 0, -j + 127 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<256x128xf16>
    %bv = ktdp.construct_memory_view %b, sizes: [256, 128], strides: [128, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 255 >= 0, j >= 0, -j + 127 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<256x128xf16>
    %cv = ktdp.construct_memory_view %c, sizes: [256, 128], strides: [128, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 255 >= 0, j >= 0, -j + 127 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<256x128xf16>
    %dv = ktdp.construct_memory_view %d, sizes: [256, 128], strides: [128, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 255 >= 0, j >= 0, -j + 127 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<256x128xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [256, 128], strides: [128, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 255 >= 0, j >= 0, -j + 127 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<256x128xf16>
    %at = ktdp.construct_access_tile %av[%me * 8, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 127 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<256x128xf16> -> !ktdp.access_tile<8x128xindex>
    %ad = ktdp.load %at : <8x128xindex> -> tensor<8x128xf16>
    %bt = ktdp.construct_access_tile %bv[%me * 8, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 127 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<256x128xf16> -> !ktdp.access_tile<8x128xindex>
    %bd = ktdp.load %bt : <8x128xindex> -> tensor<8x128xf16>
    %ct = ktdp.construct_access_tile %cv[%me * 8, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 127 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<256x128xf16> -> !ktdp.access_tile<8x128xindex>
    %cd = ktdp.load %ct : <8x128xindex> -> tensor<8x128xf16>
    %dt = ktdp.construct_access_tile %dv[%me * 8, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 127 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<256x128xf16> -> !ktdp.access_tile<8x128xindex>
    %dd = ktdp.load %dt : <8x128xindex> -> tensor<8x128xf16>
    %e = tensor.empty() : tensor<8x128xf16>
    %ab = linalg.mul ins(%ad, %bd : tensor<8x128xf16>, tensor<8x128xf16>) outs(%e : tensor<8x128xf16>) -> tensor<8x128xf16>
    %abc = linalg.add ins(%ab, %cd : tensor<8x128xf16>, tensor<8x128xf16>) outs(%e : tensor<8x128xf16>) -> tensor<8x128xf16>
    %g = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]
    } ins(%abc : tensor<8x128xf16>) outs(%e : tensor<8x128xf16>) {
    ^bb0(%in: f16, %o: f16):
      %v = spyreop.gelu %in : f16
      linalg.yield %v : f16
    } -> tensor<8x128xf16>
    %r = linalg.sub ins(%g, %dd : tensor<8x128xf16>, tensor<8x128xf16>) outs(%e : tensor<8x128xf16>) -> tensor<8x128xf16>
    %ot = ktdp.construct_access_tile %outv[%me * 8, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 127 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<256x128xf16> -> !ktdp.access_tile<8x128xindex>
    ktdp.store %r, %ot : tensor<8x128xf16>, <8x128xindex>
    return
  }
}
