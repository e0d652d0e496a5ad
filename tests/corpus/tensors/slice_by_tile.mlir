// extract_slice whose offset is the tile id: each tile picks its own columns of a shared tensor.
module {
  func.func @slice_by_tile(%x: index, %out: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [8, 256], strides: [256, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 255 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<8x256xf16>
    %t1 = ktdp.construct_access_tile %xv[0, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 255 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<8x256xf16> -> !ktdp.access_tile<8x256xindex>
    %d2 = ktdp.load %t1 : <8x256xindex> -> tensor<8x256xf16>
    %c3 = arith.constant 64 : index
    %v4 = arith.muli %me, %c3 : index
    %v5 = tensor.extract_slice %d2[0, %v4] [8, 64] [1, 1] : tensor<8x256xf16> to tensor<8x64xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [32, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 31 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32x64xf16>
    %t6 = ktdp.construct_access_tile %outv[%me * 8, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<32x64xf16> -> !ktdp.access_tile<8x64xindex>
    ktdp.store %v5, %t6 : tensor<8x64xf16>, <8x64xindex>
    return
  }
}
