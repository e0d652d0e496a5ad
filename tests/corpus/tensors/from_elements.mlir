// tensor.from_elements: a vector of four scalars, one of them an argument.
module {
  func.func @from_elements(%s: f16, %x: index, %out: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [16, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<16x64xf16>
    %t1 = ktdp.construct_access_tile %xv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<16x64xf16> -> !ktdp.access_tile<4x64xindex>
    %d2 = ktdp.load %t1 : <4x64xindex> -> tensor<4x64xf16>
    %c3 = arith.constant 1.0 : f16
    %c4 = arith.constant -0.5 : f16
    %v5 = tensor.from_elements %s, %c3, %c4, %s : tensor<4xf16>
    %v6 = tensor.empty() : tensor<4x64xf16>
    %v7 = linalg.broadcast ins(%v5 : tensor<4xf16>) outs(%v6 : tensor<4x64xf16>) dimensions = [1]
    %v8 = arith.mulf %d2, %v7 : tensor<4x64xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [16, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<16x64xf16>
    %t9 = ktdp.construct_access_tile %outv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<16x64xf16> -> !ktdp.access_tile<4x64xindex>
    ktdp.store %v8, %t9 : tensor<4x64xf16>, <4x64xindex>
    return
  }
}
