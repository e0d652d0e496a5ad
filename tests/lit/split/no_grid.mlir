// RUN: headrace-opt --ktir-legality-check %s | filecheck %s

// A kernel without a grid has one tile; functions that others call are no kernels.

ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @one_tile(%{{.*}}: index) attributes {grid = [1]}
func.func @one_tile(%x: index) {
  %cst = arith.constant dense<0.0> : tensor<64xf32>
  %v = ktdp.construct_memory_view %x, sizes: [64], strides: [1] {
    coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 63 >= 0)>, memory_space = #ktdp.memory_space<global>
  } : memref<64xf32>
  func.call @store(%v, %cst) : (memref<64xf32>, tensor<64xf32>) -> ()
  return
}
// CHECK-LABEL: func.func @store(
// CHECK-NOT: grid
func.func @store(%v: memref<64xf32>, %t: tensor<64xf32>) {
  %c0 = arith.constant 0 : index
  %a = ktdp.construct_access_tile %v[%c0] {
    access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 63 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>
  } : memref<64xf32> -> !ktdp.access_tile<64xindex>
  ktdp.store %t, %a : tensor<64xf32>, !ktdp.access_tile<64xindex>
  return
}
