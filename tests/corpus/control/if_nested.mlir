// Nested conditions on both coordinates of a 2-D grid.
module {
  func.func @if_nested(%x: index, %out: index) attributes {grid = [2, 3]} {
    %p0, %p1 = ktdp.get_compute_tile_id : index, index
    %xv = ktdp.construct_memory_view %x, sizes: [16, 96], strides: [96, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 95 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<16x96xf16>
    %t1 = ktdp.construct_access_tile %xv[%p0 * 8, %p1 * 32] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 31 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<16x96xf16> -> !ktdp.access_tile<8x32xindex>
    %d2 = ktdp.load %t1 : <8x32xindex> -> tensor<8x32xf16>
    %c3 = arith.constant 0 : index
    %c4 = arith.constant 1 : index
    %outv = ktdp.construct_memory_view %out, sizes: [16, 96], strides: [96, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 95 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<16x96xf16>
    %t5 = ktdp.construct_access_tile %outv[%p0 * 8, %p1 * 32] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 31 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<16x96xf16> -> !ktdp.access_tile<8x32xindex>
    %v6 = arith.cmpi eq, %p0, %c3 : index
    %v7 = arith.cmpi sgt, %p1, %c4 : index
    scf.if %v6 {
      scf.if %v7 {
        %m = arith.negf %d2 : tensor<8x32xf16>
        ktdp.store %m, %t5 : tensor<8x32xf16>, <8x32xindex>
      } else {
        ktdp.store %d2, %t5 : tensor<8x32xf16>, <8x32xindex>
      }
    } else {
      %m = arith.addf %d2, %d2 : tensor<8x32xf16>
      ktdp.store %m, %t5 : tensor<8x32xf16>, <8x32xindex>
    }
    return
  }
}
