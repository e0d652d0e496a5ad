// Columns are a fixed 1024 wide tile over a view with a dynamic extent: out of view loads give zero, stores drop.
module {
  func.func @masked_wide_tile(%n: !ktdp.runtime_arg<index, upperbound=1000>, %x: index, %out: index) attributes {grid = [2]} {
    %me = ktdp.get_compute_tile_id : index
    %v1 = ktdp.runtime_arg_extract value from %n : <index, upperbound=1000> -> index
    %xv = ktdp.construct_memory_view %x, sizes: [2, %v1], strides: [1000, 1] {
      coordinate_set = affine_set<(i, j)[s0] : (i >= 0, -i + 1 >= 0, j >= 0, -j + s0 - 1 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<2x?xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [2, %v1], strides: [1000, 1] {
      coordinate_set = affine_set<(i, j)[s0] : (i >= 0, -i + 1 >= 0, j >= 0, -j + s0 - 1 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<2x?xf16>
    %t2 = ktdp.construct_access_tile %xv[%me, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 0 >= 0, j >= 0, -j + 1023 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<2x?xf16> -> !ktdp.access_tile<1x1024xindex>
    %d3 = ktdp.load %t2 : <1x1024xindex> -> tensor<1x1024xf16>
    %v4 = math.exp %d3 : tensor<1x1024xf16>
    %t5 = ktdp.construct_access_tile %outv[%me, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 0 >= 0, j >= 0, -j + 1023 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<2x?xf16> -> !ktdp.access_tile<1x1024xindex>
    ktdp.store %v4, %t5 : tensor<1x1024xf16>, <1x1024xindex>
    return
  }
}
