// One generic with three inputs (one broadcast), two results of different types.
module {
  func.func @generic_three_in_two_out(%x: index, %y: index, %w: index, %out: index, %ints: index) attributes {grid = [2]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [8, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<8x64xf16>
    %t1 = ktdp.construct_access_tile %xv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<8x64xf16> -> !ktdp.access_tile<4x64xindex>
    %d2 = ktdp.load %t1 : <4x64xindex> -> tensor<4x64xf16>
    %yv = ktdp.construct_memory_view %y, sizes: [8, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<8x64xf32>
    %t3 = ktdp.construct_access_tile %yv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<8x64xf32> -> !ktdp.access_tile<4x64xindex>
    %d4 = ktdp.load %t3 : <4x64xindex> -> tensor<4x64xf32>
    %wv = ktdp.construct_memory_view %w, sizes: [64], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<64xf16>
    %t5 = ktdp.construct_access_tile %wv[0] {
      access_tile_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>,
      access_tile_order = affine_map<(i) -> (i)>
    } : memref<64xf16> -> !ktdp.access_tile<64xindex>
    %d6 = ktdp.load %t5 : <64xindex> -> tensor<64xf16>
    %v7 = tensor.empty() : tensor<4x64xf16>
    %v8 = tensor.empty() : tensor<4x64xi32>
    %v9:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%d2, %d4, %d6 : tensor<4x64xf16>, tensor<4x64xf32>, tensor<64xf16>) outs(%v7, %v8 : tensor<4x64xf16>, tensor<4x64xi32>) {
    ^bb0(%a: f16, %b: f32, %c: f16, %o: f16, %q: i32):
      %d = arith.mulf %a, %c : f16
      %f = arith.extf %d : f16 to f32
      %h = arith.addf %f, %b : f32
      %t = arith.truncf %h : f32 to f16
      %u = arith.fptosi %h : f32 to i32
      linalg.yield %t, %u : f16, i32
    } -> (tensor<4x64xf16>, tensor<4x64xi32>)
    %outv = ktdp.construct_memory_view %out, sizes: [8, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<8x64xf16>
    %t10 = ktdp.construct_access_tile %outv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<8x64xf16> -> !ktdp.access_tile<4x64xindex>
    ktdp.store %v9#0, %t10 : tensor<4x64xf16>, <4x64xindex>
    %intsv = ktdp.construct_memory_view %ints, sizes: [8, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<8x64xi32>
    %t11 = ktdp.construct_access_tile %intsv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<8x64xi32> -> !ktdp.access_tile<4x64xindex>
    ktdp.store %v9#1, %t11 : tensor<4x64xi32>, <4x64xindex>
    return
  }
}
