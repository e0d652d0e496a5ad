// A view that takes every second element of rows of 256: the DMA gathers single elements.
module {
  func.func @strided_view(%x: index, %out: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [64, 64], strides: [256, 2] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 63 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<64x64xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [64, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 63 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<64x64xf16>
    %xt = ktdp.construct_access_tile %xv[%me * 16, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<64x64xf16> -> !ktdp.access_tile<16x64xindex>
    %xd = ktdp.load %xt : <16x64xindex> -> tensor<16x64xf16>
    %r = arith.addf %xd, %xd : tensor<16x64xf16>
    %ot = ktdp.construct_access_tile %outv[%me * 16, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<64x64xf16> -> !ktdp.access_tile<16x64xindex>
    ktdp.store %r, %ot : tensor<16x64xf16>, <16x64xindex>
    return
  }
}
