// RUN: headrace-opt --reduction-loop-exposure %s | filecheck %s

// The vector length of rows of several types. A compute unit takes a vector longer than its lanes in several steps, so
// a length that fills the widest type wastes nothing on the narrow ones.

ktdf_arch.device @spyre import("spyre.mlir")

// f16 has 64 lanes and f32 has 32: a row of 128 is two vectors of 64 of both types, in the registers and in the FIFOs.
// CHECK-LABEL: func.func @two_types(
// CHECK-NOT: 32xf
// CHECK: ktdf.fifo.allocate() -> !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
// CHECK: scf.for %[[V:.*]] = %{{.*}} to %c2
// CHECK: ktdf.data_transfer from %{{.*}}[%{{.*}}, %[[V]] * 64] size [1, 64] to %{{.*}} size [64] : memref<4x128xf16, "L1">
// CHECK: } {applicable_units = ["L1LU"]}
// CHECK: %[[ACC:.*]] = memref.alloc() : memref<64xf32, "SFU_REG">
// CHECK: arith.extf
// CHECK: iterator_types = ["reduction"]} ins(%[[ACC]] : memref<64xf32, "SFU_REG">)
// CHECK: } {applicable_units = ["SFU"]}
// CHECK: ktdf.fifo.allocate() -> !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>
// CHECK: arith.truncf
// CHECK-NOT: 32xf
func.func @two_types(%a: memref<4x128xf16, "L1">, %b: memref<4x128xf16, "L1">) attributes {grid = [1]} {
  %cst = arith.constant 0.000000e+00 : f32
  %c4 = arith.constant 4 : index
  ktdf.pipeline {
    ktdf.stage depends_in(none) depends_out(none) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      scf.for %p = %c0 to %c4 step %c1 {
        ktdf.pipeline {
          %3:4 = ktdf.private -> (!ktdf.fifo.slot<"L1LU" -> "SFU", 128xf16>, !ktdf.fifo.slot<"SFU" -> "L1SU", 128xf16>, !ktdf.token, !ktdf.token) {
            %4 = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"L1LU" -> "SFU", 128xf16>
            %5 = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"SFU" -> "L1SU", 128xf16>
            %6 = ktdf.create_token : !ktdf.token
            %7 = ktdf.create_token : !ktdf.token
            ktdf.private_yield %4, %5, %6, %7 : !ktdf.fifo.slot<"L1LU" -> "SFU", 128xf16>, !ktdf.fifo.slot<"SFU" -> "L1SU", 128xf16>, !ktdf.token, !ktdf.token
          }
          ktdf.stage depends_in(none) depends_out(%3#2) {
            ktdf.data_transfer from %a[%p, 0] size [1, 128] to %3#0 size [128] : memref<4x128xf16, "L1">, !ktdf.fifo.slot<"L1LU" -> "SFU", 128xf16>
          } {applicable_units = ["L1LU"]}
          ktdf.stage depends_in(%3#2) depends_out(%3#3) {
            %4 = ktdf.read_from_fifo %3#0 : <"L1LU" -> "SFU", 128xf16> -> tensor<1x128xf16>
            %5 = tensor.empty() : tensor<1xf32>
            %6 = linalg.fill ins(%cst : f32) outs(%5 : tensor<1xf32>) -> tensor<1xf32>
            %7 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%4 : tensor<1x128xf16>) outs(%6 : tensor<1xf32>) attrs = {headrace.row = {dims = array<i64: 0, 1>, private = array<i64: 1>, vector = 1 : i64}} {
            ^bb0(%in: f16, %out: f32):
              %10 = arith.extf %in : f16 to f32
              %11 = arith.addf %out, %10 : f32
              linalg.yield %11 : f32
            } -> tensor<1xf32>
            %8 = tensor.empty() : tensor<1x128xf16>
            %9 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%4, %7 : tensor<1x128xf16>, tensor<1xf32>) outs(%8 : tensor<1x128xf16>) attrs = {headrace.row = {dims = array<i64: 0, 1>, private = array<i64: 1>, vector = 1 : i64}} {
            ^bb0(%in: f16, %in_2: f32, %out: f16):
              %10 = arith.extf %in : f16 to f32
              %11 = arith.subf %10, %in_2 : f32
              %12 = arith.truncf %11 : f32 to f16
              linalg.yield %12 : f16
            } -> tensor<1x128xf16>
            ktdf.write_to_fifo %9, %3#1 : tensor<1x128xf16>, <"SFU" -> "L1SU", 128xf16>
          } {applicable_units = ["SFU"]}
          ktdf.stage depends_in(%3#3) depends_out(none) {
            ktdf.data_transfer from %3#1 size [128] to %b[%p, 0] size [1, 128] : !ktdf.fifo.slot<"SFU" -> "L1SU", 128xf16>, memref<4x128xf16, "L1">
          } {applicable_units = ["L1SU"]}
        }
      } {loop_type = #ktdf.loop_type<parallel_loop>}
    } {applicable_units = ["L1LU", "SFU", "L1SU"]}
  }
  return
}
