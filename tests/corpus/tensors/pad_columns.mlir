// Zero padding on both sides of a row: tensor.pad with a constant.
module {
  func.func @pad_columns(%x: index, %out: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [16, 60], strides: [60, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 59 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<16x60xf16>
    %t1 = ktdp.construct_access_tile %xv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 59 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<16x60xf16> -> !ktdp.access_tile<4x60xindex>
    %d2 = ktdp.load %t1 : <4x60xindex> -> tensor<4x60xf16>
    %c3 = arith.constant 0.0 : f16
    %v4 = tensor.pad %d2 low[0, 2] high[0, 2] {
    ^bb0(%i: index, %j: index):
      tensor.yield %c3 : f16
    } : tensor<4x60xf16> to tensor<4x64xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [16, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<16x64xf16>
    %t5 = ktdp.construct_access_tile %outv[%me * 4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<16x64xf16> -> !ktdp.access_tile<4x64xindex>
    ktdp.store %v4, %t5 : tensor<4x64xf16>, <4x64xindex>
    return
  }
}
