// A06: a grid of something else than numbers.
// RUN: not headrace run %s 2>&1 | filecheck %s
// CHECK: :5:3: error: grid must be a non-empty list of positive extents, got ["a"]
module {
  func.func @k(%x: index, %out: index) attributes {grid = ["a"]} {
    %me = ktdp.get_compute_tile_id : index
    %c0 = arith.constant 0 : index
    %xv = ktdp.construct_memory_view %x, sizes: [8, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>, memory_space = #ktdp.memory_space<global>
    } : memref<8x64xf16>
    %ov = ktdp.construct_memory_view %out, sizes: [8, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>, memory_space = #ktdp.memory_space<global>
    } : memref<8x64xf16>
    %xt = ktdp.construct_access_tile %xv[%me, %c0] {
      access_tile_set = affine_set<(i, j) : (i == 0, j >= 0, -j + 63 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<8x64xf16> -> !ktdp.access_tile<1x64xindex>
    %ot = ktdp.construct_access_tile %ov[%me, %c0] {
      access_tile_set = affine_set<(i, j) : (i == 0, j >= 0, -j + 63 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<8x64xf16> -> !ktdp.access_tile<1x64xindex>
    %d = ktdp.load %xt : <1x64xindex> -> tensor<1x64xf16>
    ktdp.store %d, %ot : tensor<1x64xf16>, <1x64xindex>
    return
  }
}
