// RUN: headrace-opt --subsume-linearize-index %s | filecheck %s

// Tile arithmetic becomes subscripts of loop variables.

ktdf_arch.device @sample import("sample.mlir")

// CHECK-LABEL: func.func @sum(
// CHECK-NOT: linearize_index
// CHECK: ktdf.data_transfer from %arg0[%arg2 * 2 + %arg3] size [1]
func.func @sum(%a: memref<64xf16, "DDR">, %b: memref<1xf16, "L1">, %t: index, %p: index) attributes {grid = [1]} {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %i = ktdf.tiling.linearize_index [%t : %c2], [%p : %c1] : index
  ktdf.data_transfer from %a[%i] size [1] to %b[0] size [1] : memref<64xf16, "DDR">, memref<1xf16, "L1">
  return
}
