// A maximum that starts from loaded values (running maximum over blocks).
module {
  func.func @seeded_from_memory(%x: index, %m: index, %out: index) attributes {grid = [4]} {
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
    %mv = ktdp.construct_memory_view %m, sizes: [32], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 31 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32xf16>
    %t3 = ktdp.construct_access_tile %mv[%me * 8] {
      access_tile_set = affine_set<(i) : (i >= 0, -i + 7 >= 0)>,
      access_tile_order = affine_map<(i) -> (i)>
    } : memref<32xf16> -> !ktdp.access_tile<8xindex>
    %d4 = ktdp.load %t3 : <8xindex> -> tensor<8xf16>
    %v5 = linalg.reduce { arith.maximumf } ins(%d2 : tensor<8x64xf16>) outs(%d4 : tensor<8xf16>) dimensions = [1]
    %outv = ktdp.construct_memory_view %out, sizes: [32], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 31 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32xf16>
    %t6 = ktdp.construct_access_tile %outv[%me * 8] {
      access_tile_set = affine_set<(i) : (i >= 0, -i + 7 >= 0)>,
      access_tile_order = affine_map<(i) -> (i)>
    } : memref<32xf16> -> !ktdp.access_tile<8xindex>
    ktdp.store %v5, %t6 : tensor<8xf16>, <8xindex>
    return
  }
}
