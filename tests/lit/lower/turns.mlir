// RUN: headrace-opt --ktdf-to-ktdflowering %s | filecheck %s

// Two operations of one program, made of two, that write a buffer one after the other: the two units of a kind, which
// share the work of each, wait for each other in between. Each signals all others before the second operation.

ktdf_arch.device @sample import("sample.mlir")

// CHECK-LABEL: func.func @fill_then_store(
// CHECK: ktdf.parallel_yield
// CHECK-NEXT: }
// CHECK-NEXT: ktdf_lowering.signal %[[A:.*]], %[[B:.*]], %[[A]], %[[B]] {headrace.role = "send", headrace.senders = 2 : i32, headrace.signal = [[TURN:[0-9]+]] : i32}
// CHECK-NEXT: ktdf_lowering.signal %[[A]], %[[B]], %[[A]], %[[B]] {headrace.role = "recv", headrace.senders = 2 : i32, headrace.signal = [[TURN]] : i32}
// CHECK-NEXT: ktdf.parallel
func.func @fill_then_store() attributes {grid = [1], headrace.merged} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0 : index
  %b = builtin.unrealized_conversion_cast %zero : index to memref<8x64xf16, "L1">
  ktdf.parallel (%p, %i) = (%c0) to (%c8) step (%c1) distribute(num_instances = 2) {
    ktdf.pipeline {
      %f = ktdf.private -> (!ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>) {
        %g = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>
        ktdf.private_yield %g : !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>
      }
      ktdf.stage depends_in(none) depends_out(none) {
        %v = arith.constant dense<0.0> : tensor<64xf16>
        ktdf.write_to_fifo %v, %f : tensor<64xf16>, <"SFU" -> "L1SU", 64xf16>
      } {applicable_units = ["SFU"]}
      ktdf.stage depends_in(none) depends_out(none) {
        ktdf.data_transfer from %f size [64] to %b[%p, 0] size [1, 64] : !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>, memref<8x64xf16, "L1">
      } {applicable_units = ["L1SU"]}
    }
    ktdf.parallel_yield
  }
  ktdf.parallel (%p, %i) = (%c0) to (%c5) step (%c1) distribute(num_instances = 2) {
    ktdf.pipeline {
      %f = ktdf.private -> (!ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>) {
        %g = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>
        ktdf.private_yield %g : !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>
      }
      ktdf.stage depends_in(none) depends_out(none) {
        %v = arith.constant dense<1.0> : tensor<64xf16>
        ktdf.write_to_fifo %v, %f : tensor<64xf16>, <"SFU" -> "L1SU", 64xf16>
      } {applicable_units = ["SFU"]}
      ktdf.stage depends_in(none) depends_out(none) {
        ktdf.data_transfer from %f size [64] to %b[%p, 0] size [1, 64] : !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>, memref<8x64xf16, "L1">
      } {applicable_units = ["L1SU"]}
    }
    ktdf.parallel_yield
  }
  return
}

// Rows that do not meet need no order.
// CHECK-LABEL: func.func @other_rows(
// CHECK-NOT: ktdf_lowering.signal
// CHECK: return
func.func @other_rows() attributes {grid = [1], headrace.merged} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : index
  %b = builtin.unrealized_conversion_cast %zero : index to memref<8x64xf16, "L1">
  ktdf.parallel (%p, %i) = (%c0) to (%c1) step (%c1) distribute(num_instances = 2) {
    ktdf.pipeline {
      %f = ktdf.private -> (!ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>) {
        %g = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>
        ktdf.private_yield %g : !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>
      }
      ktdf.stage depends_in(none) depends_out(none) {
        %v = arith.constant dense<0.0> : tensor<64xf16>
        ktdf.write_to_fifo %v, %f : tensor<64xf16>, <"SFU" -> "L1SU", 64xf16>
      } {applicable_units = ["SFU"]}
      ktdf.stage depends_in(none) depends_out(none) {
        ktdf.data_transfer from %f size [64] to %b[2, 0] size [1, 64] : !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>, memref<8x64xf16, "L1">
      } {applicable_units = ["L1SU"]}
    }
    ktdf.parallel_yield
  }
  ktdf.parallel (%p, %i) = (%c0) to (%c1) step (%c1) distribute(num_instances = 2) {
    ktdf.pipeline {
      %f = ktdf.private -> (!ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>) {
        %g = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>
        ktdf.private_yield %g : !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>
      }
      ktdf.stage depends_in(none) depends_out(none) {
        %v = arith.constant dense<1.0> : tensor<64xf16>
        ktdf.write_to_fifo %v, %f : tensor<64xf16>, <"SFU" -> "L1SU", 64xf16>
      } {applicable_units = ["SFU"]}
      ktdf.stage depends_in(none) depends_out(none) {
        ktdf.data_transfer from %f size [64] to %b[3, 0] size [1, 64] : !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>, memref<8x64xf16, "L1">
      } {applicable_units = ["L1SU"]}
    }
    ktdf.parallel_yield
  }
  return
}
