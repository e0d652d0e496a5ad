// RUN: headrace-opt --ktdf-to-ktdflowering %s | filecheck %s

// A loop in the stages of one pipeline that overwrites piece by piece what it reads: the queues keep the store behind the
// load. A signal behind the whole loop of loads would stop them all where the queues are shorter than the loop.

ktdf_arch.device @sample import("sample.mlir")

// Row %p is written with what was made of row %p.
// CHECK-LABEL: func.func @in_place(
// CHECK-NOT: ktdf_lowering.signal
// CHECK: return
func.func @in_place() attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : index
  %b = builtin.unrealized_conversion_cast %zero : index to memref<65x64xf16, "L1">
  ktdf.pipeline {
    %f:2 = ktdf.private -> (!ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>, !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>) {
      %g = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
      %h = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>
      ktdf.private_yield %g, %h : !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>, !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>
    }
    ktdf.stage depends_in(none) depends_out(none) {
      scf.for %p = %c0 to %c64 step %c1 {
        ktdf.data_transfer from %b[%p, 0] size [1, 64] to %f#0 size [64] : memref<65x64xf16, "L1">, !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
      }
    } {applicable_units = ["L1LU"]}
    ktdf.stage depends_in(none) depends_out(none) {
      scf.for %p = %c0 to %c64 step %c1 {
        %v = ktdf.read_from_fifo %f#0 : <"L1LU" -> "SFU", 64xf16> -> tensor<64xf16>
        ktdf.write_to_fifo %v, %f#1 : tensor<64xf16>, <"SFU" -> "L1SU", 64xf16>
      }
    } {applicable_units = ["SFU"]}
    ktdf.stage depends_in(none) depends_out(none) {
      scf.for %p = %c0 to %c64 step %c1 {
        ktdf.data_transfer from %f#1 size [64] to %b[%p, 0] size [1, 64] : !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>, memref<65x64xf16, "L1">
      }
    } {applicable_units = ["L1SU"]}
  }
  return
}

// Row %p is written with what was made of another row: the load signals when it has read all.
// CHECK-LABEL: func.func @next_row(
// CHECK: ktdf_lowering.signal %{{.*}} {headrace.role = "send", {{.*}}headrace.signal = [[FULL:[0-9]+]]
// CHECK: ktdf_lowering.signal %{{.*}} {headrace.role = "recv", {{.*}}headrace.signal = [[FULL]]
func.func @next_row() attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : index
  %b = builtin.unrealized_conversion_cast %zero : index to memref<65x64xf16, "L1">
  ktdf.pipeline {
    %f:2 = ktdf.private -> (!ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>, !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>) {
      %g = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
      %h = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>
      ktdf.private_yield %g, %h : !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>, !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>
    }
    ktdf.stage depends_in(none) depends_out(none) {
      scf.for %p = %c0 to %c64 step %c1 {
        ktdf.data_transfer from %b[%p + 1, 0] size [1, 64] to %f#0 size [64] : memref<65x64xf16, "L1">, !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
      }
    } {applicable_units = ["L1LU"]}
    ktdf.stage depends_in(none) depends_out(none) {
      scf.for %p = %c0 to %c64 step %c1 {
        %v = ktdf.read_from_fifo %f#0 : <"L1LU" -> "SFU", 64xf16> -> tensor<64xf16>
        ktdf.write_to_fifo %v, %f#1 : tensor<64xf16>, <"SFU" -> "L1SU", 64xf16>
      }
    } {applicable_units = ["SFU"]}
    ktdf.stage depends_in(none) depends_out(none) {
      scf.for %p = %c0 to %c64 step %c1 {
        ktdf.data_transfer from %f#1 size [64] to %b[%p, 0] size [1, 64] : !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>, memref<65x64xf16, "L1">
      }
    } {applicable_units = ["L1SU"]}
  }
  return
}

// A row that every iteration reads.
// CHECK-LABEL: func.func @one_row(
// CHECK: ktdf_lowering.signal %{{.*}} {headrace.role = "send", {{.*}}headrace.signal = [[FULL:[0-9]+]]
// CHECK: ktdf_lowering.signal %{{.*}} {headrace.role = "recv", {{.*}}headrace.signal = [[FULL]]
func.func @one_row() attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : index
  %b = builtin.unrealized_conversion_cast %zero : index to memref<65x64xf16, "L1">
  ktdf.pipeline {
    %f:2 = ktdf.private -> (!ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>, !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>) {
      %g = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
      %h = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>
      ktdf.private_yield %g, %h : !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>, !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>
    }
    ktdf.stage depends_in(none) depends_out(none) {
      scf.for %p = %c0 to %c64 step %c1 {
        ktdf.data_transfer from %b[0, 0] size [1, 64] to %f#0 size [64] : memref<65x64xf16, "L1">, !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
      }
    } {applicable_units = ["L1LU"]}
    ktdf.stage depends_in(none) depends_out(none) {
      scf.for %p = %c0 to %c64 step %c1 {
        %v = ktdf.read_from_fifo %f#0 : <"L1LU" -> "SFU", 64xf16> -> tensor<64xf16>
        ktdf.write_to_fifo %v, %f#1 : tensor<64xf16>, <"SFU" -> "L1SU", 64xf16>
      }
    } {applicable_units = ["SFU"]}
    ktdf.stage depends_in(none) depends_out(none) {
      scf.for %p = %c0 to %c64 step %c1 {
        ktdf.data_transfer from %f#1 size [64] to %b[%p, 0] size [1, 64] : !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>, memref<65x64xf16, "L1">
      }
    } {applicable_units = ["L1SU"]}
  }
  return
}
