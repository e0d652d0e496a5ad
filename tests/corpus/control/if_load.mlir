// A load in each branch of an scf.if with a result: even tiles read one argument, odd ones the other.
module {
  func.func @if_load(%x: index, %y: index, %out: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [32, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 31 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32x64xf16>
    %yv = ktdp.construct_memory_view %y, sizes: [32, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 31 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32x64xf16>
    %c1 = arith.constant 2 : index
    %c2 = arith.constant 0 : index
    %v3 = arith.remui %me, %c1 : index
    %v4 = arith.cmpi eq, %v3, %c2 : index
    %t5 = ktdp.construct_access_tile %xv[%me * 8, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<32x64xf16> -> !ktdp.access_tile<8x64xindex>
    %t6 = ktdp.construct_access_tile %yv[%me * 8, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<32x64xf16> -> !ktdp.access_tile<8x64xindex>
    %v7 = scf.if %v4 -> (tensor<8x64xf16>) {
      %a = ktdp.load %t5 : <8x64xindex> -> tensor<8x64xf16>
      scf.yield %a : tensor<8x64xf16>
    } else {
      %b = ktdp.load %t6 : <8x64xindex> -> tensor<8x64xf16>
      scf.yield %b : tensor<8x64xf16>
    }
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
