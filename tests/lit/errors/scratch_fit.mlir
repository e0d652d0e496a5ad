// A kernel that leaves no scratchpad to the compiler.
// RUN: not headrace run %s 2>&1 | filecheck %s
// CHECK: :7:3: error: tile-size-selection: the smallest tile of this program does not fit the scratchpad
// CHECK: :23:5: note: buffer memref<?xf16, "L1"> needs 128 bytes of 'L1' (a single copy)
// CHECK: :7:3: note: 'L1': 128 bytes needed, 0 bytes can be allocated
module {
  func.func @k(%x: index, %out: index) attributes {grid = [2]} {
    %me = ktdp.get_compute_tile_id : index
    %c0 = arith.constant 0 : index
    %xv = ktdp.construct_memory_view %x, sizes: [2000000, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 1999999 >= 0, j >= 0, -j + 63 >= 0)>, memory_space = #ktdp.memory_space<ct_local>
    } : memref<2000000x64xf16>
    %ov = ktdp.construct_memory_view %out, sizes: [8, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>, memory_space = #ktdp.memory_space<global>
    } : memref<8x64xf16>
    %xt = ktdp.construct_access_tile %xv[%me, %c0] {
      access_tile_set = affine_set<(i, j) : (i == 0, j >= 0, -j + 63 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<2000000x64xf16> -> !ktdp.access_tile<1x64xindex>
    %ot = ktdp.construct_access_tile %ov[%me, %c0] {
      access_tile_set = affine_set<(i, j) : (i == 0, j >= 0, -j + 63 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<8x64xf16> -> !ktdp.access_tile<1x64xindex>
    %d = ktdp.load %xt : <1x64xindex> -> tensor<1x64xf16>
    ktdp.store %d, %ot : tensor<1x64xf16>, <1x64xindex>
    return
  }
}
