// int32 data: wrapping multiply, minimum, shift and compare-select.
module {
  func.func @int32(%x: index, %y: index, %out: index) attributes {grid = [32]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [64, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 63 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<64x64xi32>
    %yv = ktdp.construct_memory_view %y, sizes: [64, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 63 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<64x64xi32>
    %outv = ktdp.construct_memory_view %out, sizes: [64, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 63 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<64x64xi32>
    %xt = ktdp.construct_access_tile %xv[%me * 2, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<64x64xi32> -> !ktdp.access_tile<2x64xindex>
    %xd = ktdp.load %xt : <2x64xindex> -> tensor<2x64xi32>
    %yt = ktdp.construct_access_tile %yv[%me * 2, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<64x64xi32> -> !ktdp.access_tile<2x64xindex>
    %yd = ktdp.load %yt : <2x64xindex> -> tensor<2x64xi32>
    %p = arith.muli %xd, %yd : tensor<2x64xi32>
    %q = arith.minsi %p, %xd : tensor<2x64xi32>
    %k = arith.constant dense<3> : tensor<2x64xi32>
    %s = arith.shli %q, %k : tensor<2x64xi32>
    %m = arith.cmpi slt, %s, %yd : tensor<2x64xi32>
    %r = arith.select %m, %s, %yd : tensor<2x64xi1>, tensor<2x64xi32>
    %ot = ktdp.construct_access_tile %outv[%me * 2, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<64x64xi32> -> !ktdp.access_tile<2x64xindex>
    ktdp.store %r, %ot : tensor<2x64xi32>, <2x64xindex>
    return
  }
}
