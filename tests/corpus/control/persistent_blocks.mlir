// Persistent tiles: each tile walks blocks tile id, tile id + 4, ... of ten blocks.
module {
  func.func @persistent_blocks(%x: index, %out: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [80, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 79 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<80x64xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [80, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 79 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<80x64xf16>
    %c1 = arith.constant 4 : index
    %c2 = arith.constant 10 : index
    %c3 = arith.constant 8 : index
    scf.for %b = %me to %c2 step %c1 {
      %v4 = arith.muli %b, %c3 : index
      %t5 = ktdp.construct_access_tile %xv[%v4, 0] {
        access_tile_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
        access_tile_order = affine_map<(i, j) -> (i, j)>
      } : memref<80x64xf16> -> !ktdp.access_tile<8x64xindex>
      %d6 = ktdp.load %t5 : <8x64xindex> -> tensor<8x64xf16>
      %v7 = math.tanh %d6 : tensor<8x64xf16>
      %t8 = ktdp.construct_access_tile %outv[%v4, 0] {
        access_tile_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
        access_tile_order = affine_map<(i, j) -> (i, j)>
      } : memref<80x64xf16> -> !ktdp.access_tile<8x64xindex>
      ktdp.store %v7, %t8 : tensor<8x64xf16>, <8x64xindex>
    }
    return
  }
}
