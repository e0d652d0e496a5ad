// RUN: headrace-opt --broadcast-promotion %s | filecheck %s

// The transfer of %w is the same in every iteration: it moves into a pipeline of its own before the loop.

ktdf_arch.device @sample import("sample.mlir")

// CHECK-LABEL: func.func @row(
// CHECK: %[[W:.*]] = memref.alloc() : memref<64xf16, "L1">
// CHECK: ktdf.pipeline
// CHECK: ktdf.data_transfer from %arg1[0] size [64] to %[[W]][0] size [64]
// CHECK: applicable_units = ["MNILU"]
// CHECK: scf.for %[[I:.*]] =
// CHECK-NOT: from %arg1
// CHECK: ktdf.data_transfer from %arg0[%[[I]] * 64] size [64]
// CHECK-NOT: from %arg1
func.func @row(%a: memref<256xf16, "DDR">, %w: memref<64xf16, "DDR">) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    ktdf.pipeline {
      %p:2 = ktdf.private -> (memref<64xf16, "L1">, memref<64xf16, "L1">) {
        %0 = memref.alloc() : memref<64xf16, "L1">
        %1 = memref.alloc() : memref<64xf16, "L1">
        ktdf.private_yield %0, %1 : memref<64xf16, "L1">, memref<64xf16, "L1">
      }
      ktdf.stage depends_in(none) depends_out(none) {
        ktdf.data_transfer from %a[%i * 64] size [64] to %p#0[0] size [64] : memref<256xf16, "DDR">, memref<64xf16, "L1">
        ktdf.data_transfer from %w[0] size [64] to %p#1[0] size [64] : memref<64xf16, "DDR">, memref<64xf16, "L1">
      } {applicable_units = ["MNILU"]}
    }
  }
  return
}
