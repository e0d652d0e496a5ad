// A linalg.generic that squares and sums, broadcast back.
module {
  func.func @generic_square_sum(%x: index, %out: index) attributes {grid = [8]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [32, 128], strides: [128, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 31 >= 0, j >= 0, -j + 127 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32x128xf32>
    %outv = ktdp.construct_memory_view %out, sizes: [32, 128], strides: [128, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 31 >= 0, j >= 0, -j + 127 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32x128xf32>
    %xt = ktdp.construct_access_tile %xv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 127 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<32x128xf32> -> !ktdp.access_tile<4x128xindex>
    %xd = ktdp.load %xt : <4x128xindex> -> tensor<4x128xf32>
    %z = arith.constant dense<0.000000e+00> : tensor<4xf32>
    %ss = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]
    } ins(%xd : tensor<4x128xf32>) outs(%z : tensor<4xf32>) {
    ^bb0(%in: f32, %acc: f32):
      %p = arith.mulf %in, %in : f32
      %q = arith.addf %acc, %p : f32
      linalg.yield %q : f32
    } -> tensor<4xf32>
    %sbe = tensor.empty() : tensor<4x128xf32>
    %sb = linalg.broadcast ins(%ss : tensor<4xf32>) outs(%sbe : tensor<4x128xf32>) dimensions = [1]
    %r = arith.divf %xd, %sb : tensor<4x128xf32>
    %ot = ktdp.construct_access_tile %outv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 127 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<32x128xf32> -> !ktdp.access_tile<4x128xindex>
    ktdp.store %r, %ot : tensor<4x128xf32>, <4x128xindex>
    return
  }
}
