// Swap halves and reverse signs with a select on the position (rotate-half written with linalg.index).
module {
  func.func @rotate_by_index(%x: index, %out: index) attributes {grid = [2]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [8, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<8x64xf32>
    %t1 = ktdp.construct_access_tile %xv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<8x64xf32> -> !ktdp.access_tile<4x64xindex>
    %d2 = ktdp.load %t1 : <4x64xindex> -> tensor<4x64xf32>
    %v3 = tensor.empty() : tensor<4x64xf32>
    %v4 = tensor.extract_slice %d2[0, 32] [4, 32] [1, 1] : tensor<4x64xf32> to tensor<4x32xf32>
    %v5 = tensor.extract_slice %d2[0, 0] [4, 32] [1, 1] : tensor<4x64xf32> to tensor<4x32xf32>
    %v6 = tensor.concat dim(1) %v4, %v5 : (tensor<4x32xf32>, tensor<4x32xf32>) -> tensor<4x64xf32>
    %v7 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%v6 : tensor<4x64xf32>) outs(%v3 : tensor<4x64xf32>) {
    ^bb0(%v: f32, %o: f32):
      %j = linalg.index 1 : index
      %h = arith.constant 32 : index
      %lo = arith.cmpi slt, %j, %h : index
      %ng = arith.negf %v : f32
      %s = arith.select %lo, %ng, %v : f32
      linalg.yield %s : f32
    } -> tensor<4x64xf32>
    %outv = ktdp.construct_memory_view %out, sizes: [8, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<8x64xf32>
    %t8 = ktdp.construct_access_tile %outv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<8x64xf32> -> !ktdp.access_tile<4x64xindex>
    ktdp.store %v7, %t8 : tensor<4x64xf32>, <4x64xindex>
    return
  }
}
