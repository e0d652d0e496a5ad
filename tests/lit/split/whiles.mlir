// RUN: headrace-opt --tensor-legalization %s | filecheck %s

// A while loop that counts is a counted loop; its last counter, which an address uses, is computed: 0, 3, 6, 9 end it
// at 12.

ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @counts(
// CHECK-NOT: scf.while
// CHECK: %[[END:.*]] = arith.addi %{{.*}}, %{{.*}} : index
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[END]] step
// CHECK: ktdp.store
// CHECK: arith.ceildivsi
// CHECK: arith.maxsi
// CHECK: ktdp.store
func.func @counts(%x: index, %o: index) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %xv = ktdp.construct_memory_view %x, sizes: [16, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<16x64xf32>
  %ov = ktdp.construct_memory_view %o, sizes: [16, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<16x64xf32>
  %last = scf.while (%j = %c0) : (index) -> index {
    %most = arith.constant 9 : index
    %go = arith.cmpi sge, %most, %j : index
    scf.condition(%go) %j : index
  } do {
  ^bb0(%j: index):
    %t = ktdp.construct_access_tile %xv[%j, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<16x64xf32> -> !ktdp.access_tile<1x64xindex>
    %v = ktdp.load %t : !ktdp.access_tile<1x64xindex> -> tensor<1x64xf32>
    %e = math.exp %v : tensor<1x64xf32>
    %u = ktdp.construct_access_tile %ov[%j, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<16x64xf32> -> !ktdp.access_tile<1x64xindex>
    ktdp.store %e, %u : tensor<1x64xf32>, !ktdp.access_tile<1x64xindex>
    %c3 = arith.constant 3 : index
    %n = arith.addi %j, %c3 : index
    scf.yield %n : index
  }
  %one = arith.constant dense<1.0> : tensor<1x64xf32>
  %u = ktdp.construct_access_tile %ov[%last, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<16x64xf32> -> !ktdp.access_tile<1x64xindex>
  ktdp.store %one, %u : tensor<1x64xf32>, !ktdp.access_tile<1x64xindex>
  return
}
