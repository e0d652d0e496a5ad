// Padding in both dimensions with a value that is no zero, then a row sum over the padded tensor.
module {
  func.func @pad_then_reduce(%x: index, %out: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [16, 50], strides: [50, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 49 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<16x50xf16>
    %t1 = ktdp.construct_access_tile %xv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 49 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<16x50xf16> -> !ktdp.access_tile<4x50xindex>
    %d2 = ktdp.load %t1 : <4x50xindex> -> tensor<4x50xf16>
    %c3 = arith.constant 1.5 : f16
    %v4 = tensor.pad %d2 low[0, 0] high[4, 14] {
    ^bb0(%i: index, %j: index):
      tensor.yield %c3 : f16
    } : tensor<4x50xf16> to tensor<8x64xf16>
    %v5 = arith.constant dense<0.0> : tensor<8xf16>
    %v6 = linalg.reduce { arith.addf } ins(%v4 : tensor<8x64xf16>) outs(%v5 : tensor<8xf16>) dimensions = [1]
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
