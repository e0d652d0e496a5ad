// RUN: headrace-opt --double-buffering %s | filecheck %s
// RUN: headrace-opt --double-buffering='buffers=3' %s | filecheck %s --check-prefix=THREE

// A buffer that one stage fills and another drains exists twice, so that the first stage runs ahead by one iteration.

ktdf_arch.device @sample import("sample.mlir")

// CHECK-LABEL: func.func @ahead(
// CHECK: %[[A:.*]] = memref.alloc() : memref<64xf16, "L1">
// CHECK: %[[B:.*]] = memref.alloc() : memref<64xf16, "L1">
// CHECK: scf.for %[[I:.*]] =
// CHECK: %[[PH:.*]] = ktdf.buffer_phase(%[[I]]) {num_phases = 2 : i64}
// CHECK: %[[X:.*]] = ktdf.select_memref %[[PH]][%[[A]], %[[B]]]
// CHECK: ktdf.pipeline modulo(size : 2)
// CHECK: to %[[X]][0] size [64]
// CHECK: from %[[X]][0] size [64]
// THREE: num_phases = 3
// THREE: ktdf.pipeline modulo(size : 3)
func.func @ahead(%a: memref<256xf16, "DDR">, %b: memref<256xf16, "DDR">) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    ktdf.pipeline {
      %p:2 = ktdf.private -> (memref<64xf16, "L1">, !ktdf.token) {
        %0 = memref.alloc() : memref<64xf16, "L1">
        %1 = ktdf.create_token : !ktdf.token
        ktdf.private_yield %0, %1 : memref<64xf16, "L1">, !ktdf.token
      }
      ktdf.stage depends_in(none) depends_out(%p#1) {
        ktdf.data_transfer from %a[%i * 64] size [64] to %p#0[0] size [64] : memref<256xf16, "DDR">, memref<64xf16, "L1">
      } {applicable_units = ["MNILU"]}
      ktdf.stage depends_in(%p#1) depends_out(none) {
        ktdf.data_transfer from %p#0[0] size [64] to %b[%i * 64] size [64] : memref<64xf16, "L1">, memref<256xf16, "DDR">
      } {applicable_units = ["MNISU"]}
    }
  }
  return
}
