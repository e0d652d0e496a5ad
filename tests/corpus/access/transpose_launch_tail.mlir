// A transposed copy, 32 of the rows a tile; how many there are is only known at launch, and the second tile hangs over.
module {
  func.func @transpose_launch_tail(%x: index, %out: index, %n: index) attributes {grid = [2]} {
    %me = ktdp.get_compute_tile_id : index
    %c32 = arith.constant 32 : index
    %at = arith.muli %me, %c32 : index
    %xv = ktdp.construct_memory_view %x, sizes: [%n, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j)[s0] : (i >= 0, -i + s0 - 1 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<?x64xf16>
    %ov = ktdp.construct_memory_view %out, sizes: [64, %n], strides: [64, 1] {
      coordinate_set = affine_set<(i, j)[s0] : (i >= 0, -i + 63 >= 0, j >= 0, -j + s0 - 1 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<64x?xf16>
    %xt = ktdp.construct_access_tile %xv[%at, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 31 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (j, i)>
    } : memref<?x64xf16> -> !ktdp.access_tile<64x32xindex>
    %v = ktdp.load %xt : <64x32xindex> -> tensor<64x32xf16>
    %ot = ktdp.construct_access_tile %ov[0, %at] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 63 >= 0, j >= 0, -j + 31 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<64x?xf16> -> !ktdp.access_tile<64x32xindex>
    ktdp.store %v, %ot : tensor<64x32xf16>, <64x32xindex>
    return
  }
}
