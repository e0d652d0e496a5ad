// Number of elements left of the diagonal, weighted: a reduction whose term uses linalg.index.
module {
  func.func @index_reduction(%x: index, %out: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [32, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 31 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32x64xf32>
    %t1 = ktdp.construct_access_tile %xv[%me * 8, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<32x64xf32> -> !ktdp.access_tile<8x64xindex>
    %d2 = ktdp.load %t1 : <8x64xindex> -> tensor<8x64xf32>
    %v3 = arith.constant dense<0.0> : tensor<8xf32>
    %v4 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%d2 : tensor<8x64xf32>) outs(%v3 : tensor<8xf32>) {
    ^bb0(%a: f32, %o: f32):
      %j = linalg.index 1 : index
      %ji = arith.index_cast %j : index to i32
      %jf = arith.sitofp %ji : i32 to f32
      %p = arith.mulf %a, %jf : f32
      %t = arith.addf %o, %p : f32
      linalg.yield %t : f32
    } -> tensor<8xf32>
    %outv = ktdp.construct_memory_view %out, sizes: [32], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 31 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32xf32>
    %t5 = ktdp.construct_access_tile %outv[%me * 8] {
      access_tile_set = affine_set<(i) : (i >= 0, -i + 7 >= 0)>,
      access_tile_order = affine_map<(i) -> (i)>
    } : memref<32xf32> -> !ktdp.access_tile<8xindex>
    ktdp.store %v4, %t5 : tensor<8xf32>, <8xindex>
    return
  }
}
