// The chain gelu(a*b + c) - d at 4096x4096: one pass over device memory.
module {
  func.func @chain_4096(%a: index, %b: index, %c: index, %d: index, %out: index) attributes {grid = [32]} {
    %me = ktdp.get_compute_tile_id : index
    %av = ktdp.construct_memory_view %a, sizes: [4096, 4096], strides: [4096, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 4095 >= 0, j >= 0, -j + 4095 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<4096x4096xf16>
    %bv = ktdp.construct_memory_view %b, sizes: [4096, 4096], strides: [4096, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 4095 >= 0, j >= 0, -j + 4095 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<4096x4096xf16>
    %cv = ktdp.construct_memory_view %c, sizes: [4096, 4096], strides: [4096, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 4095 >= 0, j >= 0, -j + 4095 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<4096x4096xf16>
    %dv = ktdp.construct_memory_view %d, sizes: [4096, 4096], strides: [4096, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 4095 >= 0, j >= 0, -j + 4095 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<4096x4096xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [4096, 4096], strides: [4096, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 4095 >= 0, j >= 0, -j + 4095 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<4096x4096xf16>
    %at = ktdp.construct_access_tile %av[%me * 128, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 127 >= 0, j >= 0, -j + 4095 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<4096x4096xf16> -> !ktdp.access_tile<128x4096xindex>
    %ad = ktdp.load %at : <128x4096xindex> -> tensor<128x4096xf16>
    %bt = ktdp.construct_access_tile %bv[%me * 128, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 127 >= 0, j >= 0, -j + 4095 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<4096x4096xf16> -> !ktdp.access_tile<128x4096xindex>
    %bd = ktdp.load %bt : <128x4096xindex> -> tensor<128x4096xf16>
    %ct = ktdp.construct_access_tile %cv[%me * 128, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 127 >= 0, j >= 0, -j + 4095 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<4096x4096xf16> -> !ktdp.access_tile<128x4096xindex>
    %cd = ktdp.load %ct : <128x4096xindex> -> tensor<128x4096xf16>
    %dt = ktdp.construct_access_tile %dv[%me * 128, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 127 >= 0, j >= 0, -j + 4095 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<4096x4096xf16> -> !ktdp.access_tile<128x4096xindex>
    %dd = ktdp.load %dt : <128x4096xindex> -> tensor<128x4096xf16>
    %e = tensor.empty() : tensor<128x4096xf16>
    %ab = linalg.mul ins(%ad, %bd : tensor<128x4096xf16>, tensor<128x4096xf16>) outs(%e : tensor<128x4096xf16>) -> tensor<128x4096xf16>
    %abc = linalg.add ins(%ab, %cd : tensor<128x4096xf16>, tensor<128x4096xf16>) outs(%e : tensor<128x4096xf16>) -> tensor<128x4096xf16>
    %g = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]
    } ins(%abc : tensor<128x4096xf16>) outs(%e : tensor<128x4096xf16>) {
    ^bb0(%in: f16, %o: f16):
      %v = spyreop.gelu %in : f16
      linalg.yield %v : f16
    } -> tensor<128x4096xf16>
    %r = linalg.sub ins(%g, %dd : tensor<128x4096xf16>, tensor<128x4096xf16>) outs(%e : tensor<128x4096xf16>) -> tensor<128x4096xf16>
    %ot = ktdp.construct_access_tile %outv[%me * 128, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 127 >= 0, j >= 0, -j + 4095 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<4096x4096xf16> -> !ktdp.access_tile<128x4096xindex>
    ktdp.store %r, %ot : tensor<128x4096xf16>, <128x4096xindex>
    return
  }
}
