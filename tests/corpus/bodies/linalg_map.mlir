// linalg.map with two inputs and with none.
module {
  func.func @linalg_map(%x: index, %y: index, %out: index) attributes {grid = [2]} {
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
    } : memref<8x64xf16>
    %t3 = ktdp.construct_access_tile %yv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<8x64xf16> -> !ktdp.access_tile<4x64xindex>
    %d4 = ktdp.load %t3 : <4x64xindex> -> tensor<4x64xf16>
    %v5 = tensor.empty() : tensor<4x64xf16>
    %v6 = linalg.map ins(%d2, %d4 : tensor<4x64xf16>, tensor<4x64xf16>) outs(%v5 : tensor<4x64xf16>) (%a: f16, %b: f16) {
      %p = arith.mulf %a, %b : f16
      %q = math.exp %p : f16
      linalg.yield %q : f16
    }
    %outv = ktdp.construct_memory_view %out, sizes: [8, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<8x64xf16>
    %t7 = ktdp.construct_access_tile %outv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<8x64xf16> -> !ktdp.access_tile<4x64xindex>
    ktdp.store %v6, %t7 : tensor<4x64xf16>, <4x64xindex>
    return
  }
}
