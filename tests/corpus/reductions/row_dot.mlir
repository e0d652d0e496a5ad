// Sum of products of two rows, written as a generic with two inputs.
module {
  func.func @row_dot(%x: index, %y: index, %out: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [32, 96], strides: [96, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 31 >= 0, j >= 0, -j + 95 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32x96xf16>
    %t1 = ktdp.construct_access_tile %xv[%me * 8, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 95 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<32x96xf16> -> !ktdp.access_tile<8x96xindex>
    %d2 = ktdp.load %t1 : <8x96xindex> -> tensor<8x96xf16>
    %yv = ktdp.construct_memory_view %y, sizes: [32, 96], strides: [96, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 31 >= 0, j >= 0, -j + 95 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32x96xf16>
    %t3 = ktdp.construct_access_tile %yv[%me * 8, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 95 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<32x96xf16> -> !ktdp.access_tile<8x96xindex>
    %d4 = ktdp.load %t3 : <8x96xindex> -> tensor<8x96xf16>
    %v5 = arith.constant dense<0.0> : tensor<8xf16>
    %v6 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%d2, %d4 : tensor<8x96xf16>, tensor<8x96xf16>) outs(%v5 : tensor<8xf16>) {
    ^bb0(%a: f16, %b: f16, %o: f16):
      %p = arith.mulf %a, %b : f16
      %t = arith.addf %p, %o : f16
      linalg.yield %t : f16
    } -> tensor<8xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [32], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 31 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32xf16>
    %t7 = ktdp.construct_access_tile %outv[%me * 8] {
      access_tile_set = affine_set<(i) : (i >= 0, -i + 7 >= 0)>,
      access_tile_order = affine_map<(i) -> (i)>
    } : memref<32xf16> -> !ktdp.access_tile<8xindex>
    ktdp.store %v6, %t7 : tensor<8xf16>, <8xindex>
    return
  }
}
