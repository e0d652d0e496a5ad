// Layer norm as the Inductor path writes it: exx2 over the row, layernormscale, layernormnorm.
module {
  func.func @spyreop_layernorm(%x: index, %w: index, %b: index, %out: index) attributes {grid = [2]} {
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
    %wv = ktdp.construct_memory_view %w, sizes: [64], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<64xf16>
    %t3 = ktdp.construct_access_tile %wv[0] {
      access_tile_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>,
      access_tile_order = affine_map<(i) -> (i)>
    } : memref<64xf16> -> !ktdp.access_tile<64xindex>
    %d4 = ktdp.load %t3 : <64xindex> -> tensor<64xf16>
    %bv = ktdp.construct_memory_view %b, sizes: [64], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<64xf16>
    %t5 = ktdp.construct_access_tile %bv[0] {
      access_tile_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>,
      access_tile_order = affine_map<(i) -> (i)>
    } : memref<64xf16> -> !ktdp.access_tile<64xindex>
    %d6 = ktdp.load %t5 : <64xindex> -> tensor<64xf16>
    %v7 = tensor.empty() : tensor<4xf16>
    %v8 = tensor.empty() : tensor<4x64xf16>
    %v9:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%d2 : tensor<4x64xf16>) outs(%v7, %v7 : tensor<4xf16>, tensor<4xf16>) {
    ^bb0(%a: f16, %o: f16, %q: f16):
      %mean, %sq = spyreop.exx2 %a : f16
      linalg.yield %mean, %sq : f16, f16
    } -> (tensor<4xf16>, tensor<4xf16>)
    %v10 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%d2, %v9#0, %v9#1, %d4, %d6 : tensor<4x64xf16>, tensor<4xf16>, tensor<4xf16>, tensor<64xf16>, tensor<64xf16>) outs(%v8 : tensor<4x64xf16>) {
    ^bb0(%a: f16, %mean: f16, %sq: f16, %ww: f16, %bb: f16, %o: f16):
      %s = spyreop.layernormscale %mean squares %sq : f16
      %n = arith.subf %a, %mean : f16
      %t = arith.mulf %n, %s : f16
      %u = arith.mulf %t, %ww : f16
      %v = arith.addf %u, %bb : f16
      linalg.yield %v : f16
    } -> tensor<4x64xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [8, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<8x64xf16>
    %t11 = ktdp.construct_access_tile %outv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<8x64xf16> -> !ktdp.access_tile<4x64xindex>
    ktdp.store %v10, %t11 : tensor<4x64xf16>, <4x64xindex>
    return
  }
}
