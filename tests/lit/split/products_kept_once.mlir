// RUN: headrace-opt --tensor-legalization %s | filecheck %s

// A computed factor of two products in loops of their own is kept in the scratchpad once: both read it where it lies.

ktdf_arch.device @sample import("sample.mlir")
#x = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#w = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#wt = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 31 >= 0)>
#ot = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 31 >= 0)>
#id = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func.func @twice(
// CHECK: %[[KEPT:.*]] = ktdp.construct_memory_view {{.*}}sizes: [8, 64], {{.*}}memory_space<ct_local>} : memref<8x64xf16>
// CHECK-NOT: memory_space<ct_local>
// CHECK: scf.for
// CHECK-NOT: memory_space<ct_local>
// CHECK: scf.for
// CHECK-NOT: memory_space<ct_local>
// CHECK: return
func.func @twice(%x: index, %w: index, %v: index, %o: index, %p: index) attributes {grid = [1]} {
  %z = arith.constant dense<0.000000e+00> : tensor<8x32xf32>
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %xv = ktdp.construct_memory_view %x, sizes: [8, 64], strides: [64, 1] {coordinate_set = #x, memory_space = #ktdp.memory_space<global>} : memref<8x64xf16>
  %wv = ktdp.construct_memory_view %w, sizes: [64, 64], strides: [64, 1] {coordinate_set = #w, memory_space = #ktdp.memory_space<global>} : memref<64x64xf16>
  %vv = ktdp.construct_memory_view %v, sizes: [64, 64], strides: [64, 1] {coordinate_set = #w, memory_space = #ktdp.memory_space<global>} : memref<64x64xf16>
  %ov = ktdp.construct_memory_view %o, sizes: [8, 64], strides: [64, 1] {coordinate_set = #x, memory_space = #ktdp.memory_space<global>} : memref<8x64xf32>
  %pv = ktdp.construct_memory_view %p, sizes: [8, 64], strides: [64, 1] {coordinate_set = #x, memory_space = #ktdp.memory_space<global>} : memref<8x64xf32>
  %xt = ktdp.construct_access_tile %xv[0, 0] {access_tile_set = #x, access_tile_order = #id} : memref<8x64xf16> -> !ktdp.access_tile<8x64xindex>
  %a = ktdp.load %xt : !ktdp.access_tile<8x64xindex> -> tensor<8x64xf16>
  %f = arith.mulf %a, %a : tensor<8x64xf16>
  scf.for %j = %c0 to %c64 step %c32 {
    %t = ktdp.construct_access_tile %wv[0, %j] {access_tile_set = #wt, access_tile_order = #id} : memref<64x64xf16> -> !ktdp.access_tile<64x32xindex>
    %b = ktdp.load %t : !ktdp.access_tile<64x32xindex> -> tensor<64x32xf16>
    %y = linalg.matmul ins(%f, %b : tensor<8x64xf16>, tensor<64x32xf16>) outs(%z : tensor<8x32xf32>) -> tensor<8x32xf32>
    %ot = ktdp.construct_access_tile %ov[0, %j] {access_tile_set = #ot, access_tile_order = #id} : memref<8x64xf32> -> !ktdp.access_tile<8x32xindex>
    ktdp.store %y, %ot : tensor<8x32xf32>, !ktdp.access_tile<8x32xindex>
  }
  scf.for %j = %c0 to %c64 step %c32 {
    %t = ktdp.construct_access_tile %vv[0, %j] {access_tile_set = #wt, access_tile_order = #id} : memref<64x64xf16> -> !ktdp.access_tile<64x32xindex>
    %b = ktdp.load %t : !ktdp.access_tile<64x32xindex> -> tensor<64x32xf16>
    %y = linalg.matmul ins(%f, %b : tensor<8x64xf16>, tensor<64x32xf16>) outs(%z : tensor<8x32xf32>) -> tensor<8x32xf32>
    %pt = ktdp.construct_access_tile %pv[0, %j] {access_tile_set = #ot, access_tile_order = #id} : memref<8x64xf32> -> !ktdp.access_tile<8x32xindex>
    ktdp.store %y, %pt : tensor<8x32xf32>, !ktdp.access_tile<8x32xindex>
  }
  return
}
