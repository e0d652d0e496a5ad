// A transposed operand: its access_tile_order swaps the dimensions, so the load gives 16x48 from 48x16.
module {
  func.func @transposed_order(%x: index, %y: index, %out: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [48, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 47 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<48x64xf16>
    %yv = ktdp.construct_memory_view %y, sizes: [64, 48], strides: [48, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 63 >= 0, j >= 0, -j + 47 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<64x48xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [64, 48], strides: [48, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 63 >= 0, j >= 0, -j + 47 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<64x48xf16>
    %xt = ktdp.construct_access_tile %xv[0, %me * 16] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 47 >= 0, j >= 0, -j + 15 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (j, i)>
    } : memref<48x64xf16> -> !ktdp.access_tile<16x48xindex>
    %xd = ktdp.load %xt : <16x48xindex> -> tensor<16x48xf16>
    %yt = ktdp.construct_access_tile %yv[%me * 16, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 47 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<64x48xf16> -> !ktdp.access_tile<16x48xindex>
    %yd = ktdp.load %yt : <16x48xindex> -> tensor<16x48xf16>
    %r = arith.addf %xd, %yd : tensor<16x48xf16>
    %ot = ktdp.construct_access_tile %outv[%me * 16, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 47 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<64x48xf16> -> !ktdp.access_tile<16x48xindex>
    ktdp.store %r, %ot : tensor<16x48xf16>, <16x48xindex>
    return
  }
}
