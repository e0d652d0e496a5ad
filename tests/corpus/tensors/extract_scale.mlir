// A scale that lies in memory as one element: load of 1x1, tensor.extract, linalg.fill.
module {
  func.func @extract_scale(%x: index, %scale: index, %out: index) attributes {grid = [4]} {
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
    %scalev = ktdp.construct_memory_view %scale, sizes: [1], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 0 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<1xf16>
    %t3 = ktdp.construct_access_tile %scalev[0] {
      access_tile_set = affine_set<(i) : (i >= 0, -i + 0 >= 0)>,
      access_tile_order = affine_map<(i) -> (i)>
    } : memref<1xf16> -> !ktdp.access_tile<1xindex>
    %d4 = ktdp.load %t3 : <1xindex> -> tensor<1xf16>
    %c5 = arith.constant 0 : index
    %v6 = tensor.extract %d4[%c5] : tensor<1xf16>
    %v7 = tensor.empty() : tensor<8x64xf16>
    %v8 = linalg.fill ins(%v6 : f16) outs(%v7 : tensor<8x64xf16>) -> tensor<8x64xf16>
    %v9 = arith.mulf %d2, %v8 : tensor<8x64xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [32, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 31 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32x64xf16>
    %t10 = ktdp.construct_access_tile %outv[%me * 8, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<32x64xf16> -> !ktdp.access_tile<8x64xindex>
    ktdp.store %v9, %t10 : tensor<8x64xf16>, <8x64xindex>
    return
  }
}
