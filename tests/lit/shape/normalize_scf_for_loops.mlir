// RUN: headrace-opt --normalize-scf-for-loops %s | filecheck %s

// Loops around a pipeline start at 0 and step by 1; uses of the old variable see the same values as before.

ktdf_arch.device @sample import("sample.mlir")

// CHECK-LABEL: func.func @steps(
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// CHECK: scf.for %[[I:.*]] = %[[C0]] to %[[C2]] step %[[C1]]
// CHECK: %[[M:.*]] = arith.muli %[[I]], %{{.*}} : index
// CHECK: %[[OLD:.*]] = arith.addi %[[M]], %{{.*}} : index
// CHECK: ktdf.data_transfer from %arg0[%[[OLD]]] size [64]
func.func @steps(%a: memref<256xf16, "DDR">) attributes {grid = [1]} {
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c160 = arith.constant 160 : index
  scf.for %i = %c32 to %c160 step %c64 {
    ktdf.pipeline {
      %p = ktdf.private -> (memref<64xf16, "L1">) {
        %0 = memref.alloc() : memref<64xf16, "L1">
        ktdf.private_yield %0 : memref<64xf16, "L1">
      }
      ktdf.stage depends_in(none) depends_out(none) {
        ktdf.data_transfer from %a[%i] size [64] to %p[0] size [64] : memref<256xf16, "DDR">, memref<64xf16, "L1">
      } {applicable_units = ["MNILU"]}
    }
  }
  return
}
