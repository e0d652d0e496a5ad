// scf.if that yields an index: the last tile starts elsewhere.
module {
  func.func @if_index(%x: index, %out: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [40, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 39 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<40x64xf16>
    %c1 = arith.constant 3 : index
    %c2 = arith.constant 8 : index
    %v3 = arith.cmpi eq, %me, %c1 : index
    %v4 = scf.if %v3 -> (index) {
      %a = arith.constant 32 : index
      scf.yield %a : index
    } else {
      %b = arith.muli %me, %c2 : index
      scf.yield %b : index
    }
    %t5 = ktdp.construct_access_tile %xv[%v4, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<40x64xf16> -> !ktdp.access_tile<8x64xindex>
    %d6 = ktdp.load %t5 : <8x64xindex> -> tensor<8x64xf16>
    %v7 = math.exp %d6 : tensor<8x64xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [32, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 31 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32x64xf16>
    %t8 = ktdp.construct_access_tile %outv[%me * 8, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<32x64xf16> -> !ktdp.access_tile<8x64xindex>
    ktdp.store %v7, %t8 : tensor<8x64xf16>, <8x64xindex>
    return
  }
}
