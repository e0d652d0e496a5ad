// Two tensors side by side: tensor.concat along the columns.
module {
  func.func @concat_columns(%x: index, %y: index, %out: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [32, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 31 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32x64xf16>
    %t1 = ktdp.construct_access_tile %xv[%me * 8, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<32x64xf16> -> !ktdp.access_tile<8x64xindex>
    %d2 = ktdp.load %t1 : <8x64xindex> -> tensor<8x64xf16>
    %yv = ktdp.construct_memory_view %y, sizes: [32, 32], strides: [32, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 31 >= 0, j >= 0, -j + 31 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32x32xf16>
    %t3 = ktdp.construct_access_tile %yv[%me * 8, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 31 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<32x32xf16> -> !ktdp.access_tile<8x32xindex>
    %d4 = ktdp.load %t3 : <8x32xindex> -> tensor<8x32xf16>
    %v5 = tensor.concat dim(1) %d2, %d4 : (tensor<8x64xf16>, tensor<8x32xf16>) -> tensor<8x96xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [32, 96], strides: [96, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 31 >= 0, j >= 0, -j + 95 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32x96xf16>
    %t6 = ktdp.construct_access_tile %outv[%me * 8, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 95 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<32x96xf16> -> !ktdp.access_tile<8x96xindex>
    ktdp.store %v5, %t6 : tensor<8x96xf16>, <8x96xindex>
    return
  }
}
