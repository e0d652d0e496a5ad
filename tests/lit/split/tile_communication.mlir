// RUN: %headrace-opt %s --tile-communication | %filecheck %s

// The one producer of a group stores its partial; the others get it by an exchange, and everybody loads its buffer.
ktdf_arch.device @spyre import("spyre.mlir")
#all = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i == 0)>
#grp = affine_set<(g) : (g == 0)>
#box = affine_set<(a) : (a >= 0, -a + 63 >= 0)>
#id = affine_map<(a) -> (a)>
// CHECK-LABEL: func.func @broadcast
func.func @broadcast(%x: index, %y: index) attributes {grid = [4]} {
  %me = ktdp.get_compute_tile_id : index
  %v = ktdp.construct_memory_view %x, sizes: [256], strides: [1] {coordinate_set = affine_set<(a) : (a >= 0, -a + 255 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<256xf16>
  %t = ktdp.construct_access_tile %v[%me * 64] {access_tile_set = #box, access_tile_order = #id} : memref<256xf16> -> !ktdp.access_tile<64xindex>
  // CHECK: %[[P:.*]] = ktdp.load
  %p = ktdp.load %t : <64xindex> -> tensor<64xf16>
  // CHECK: scf.if %{{.*}} {
  // CHECK: ktdp.store %[[P]]
  // CHECK: }
  %f = ktdp.inter_tile_produce producer_tiles_per_group = #one -> <(tensor<64xf16>), groups = #grp> {
  ^bb0(%g: index):
    ktdp.yield_partial %p : tensor<64xf16>
  }
  // CHECK: headrace.exchange(%[[A:.*]], %[[B:.*]] : memref<64xf16>, memref<64xf16>)
  // CHECK-SAME: moves = [array<i64: 0, 0, 0, 0>]
  // CHECK-SAME: moves = [array<i64: 0, 1, 0, 0>]
  // CHECK: ktdp.load
  %r = ktdp.inter_tile_consume(%f) consumer_tiles_per_group = #all : <(tensor<64xf16>), groups = #grp> -> tensor<64xf16>
  // CHECK-NOT: inter_tile
  %w = ktdp.construct_memory_view %y, sizes: [256], strides: [1] {coordinate_set = affine_set<(a) : (a >= 0, -a + 255 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<256xf16>
  %u = ktdp.construct_access_tile %w[%me * 64] {access_tile_set = #box, access_tile_order = #id} : memref<256xf16> -> !ktdp.access_tile<64xindex>
  ktdp.store %r, %u : tensor<64xf16>, <64xindex>
  return
}
