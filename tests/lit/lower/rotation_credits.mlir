// RUN: headrace-opt --ktdf-to-ktdflowering %s | filecheck %s

// Two buffers that are filled and drained in turn have two credits: the filling unit runs two iterations ahead.

ktdf_arch.device @sample import("sample.mlir")

// Eight iterations take each buffer equally often, so the next run of the loop begins with the buffer that is free
// first: the credits live around the outer loop, whose next iteration is prepared during this one.
// CHECK-LABEL: func.func @even(
// CHECK: ktdf_lowering.signal %{{.*}} {headrace.count = 2 : i32, headrace.role = "send", {{.*}}headrace.signal = [[FREE:[0-9]+]]
// CHECK-NEXT: scf.for
// CHECK-NEXT: scf.for
// CHECK: ktdf_lowering.signal %{{.*}} {headrace.role = "recv", {{.*}}headrace.signal = [[FREE]]
// CHECK: ktdf_lowering.signal %{{.*}} {headrace.role = "send", {{.*}}headrace.signal = [[FULL:[0-9]+]]
// CHECK: ktdf_lowering.signal %{{.*}} {headrace.role = "recv", {{.*}}headrace.signal = [[FULL]]
// CHECK: ktdf_lowering.signal %{{.*}} {headrace.role = "send", {{.*}}headrace.signal = [[FREE]]
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: ktdf_lowering.signal %{{.*}} {headrace.count = 2 : i32, headrace.role = "recv", {{.*}}headrace.signal = [[FREE]]
func.func @even() attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c256 = arith.constant 256 : index
  %a = builtin.unrealized_conversion_cast %c0 : index to memref<512xf16, "DDR">
  %x = builtin.unrealized_conversion_cast %c0 : index to memref<64xf16, "L1">
  %y = builtin.unrealized_conversion_cast %c256 : index to memref<64xf16, "L1">
  scf.for %t = %c0 to %c4 step %c1 {
    scf.for %i = %c0 to %c8 step %c1 {
      %phase = ktdf.buffer_phase(%i) {num_phases = 2 : i64} : index
      %b = ktdf.select_memref %phase[%x, %y] : memref<64xf16, "L1">
      ktdf.pipeline modulo(size : 2) {
        %f = ktdf.private -> (!ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>) {
          %g = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
          ktdf.private_yield %g : !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
        }
        ktdf.stage depends_in(none) depends_out(none) {
          ktdf.data_transfer from %a[%i * 64] size [64] to %b[0] size [64] : memref<512xf16, "DDR">, memref<64xf16, "L1">
        } {applicable_units = ["MNILU"]}
        ktdf.stage depends_in(none) depends_out(none) {
          ktdf.data_transfer from %b[0] size [64] to %f size [64] : memref<64xf16, "L1">, !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
        } {applicable_units = ["L1LU"]}
      }
    }
  }
  return
}

// After seven the first buffer comes twice in a row: each run of the loop has its own credits.
// CHECK-LABEL: func.func @odd(
// CHECK: scf.for
// CHECK-NEXT: ktdf_lowering.signal %{{.*}} {headrace.count = 2 : i32, headrace.role = "send", {{.*}}headrace.signal = [[FREE:[0-9]+]]
// CHECK-NEXT: scf.for
// CHECK: ktdf_lowering.signal %{{.*}} {headrace.role = "recv", {{.*}}headrace.signal = [[FREE]]
// CHECK: ktdf_lowering.signal %{{.*}} {headrace.role = "send", {{.*}}headrace.signal = [[FULL:[0-9]+]]
// CHECK: ktdf_lowering.signal %{{.*}} {headrace.role = "recv", {{.*}}headrace.signal = [[FULL]]
// CHECK: ktdf_lowering.signal %{{.*}} {headrace.role = "send", {{.*}}headrace.signal = [[FREE]]
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: ktdf_lowering.signal %{{.*}} {headrace.count = 2 : i32, headrace.role = "recv", {{.*}}headrace.signal = [[FREE]]
// CHECK-NEXT: }
func.func @odd() attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  %c256 = arith.constant 256 : index
  %a = builtin.unrealized_conversion_cast %c0 : index to memref<448xf16, "DDR">
  %x = builtin.unrealized_conversion_cast %c0 : index to memref<64xf16, "L1">
  %y = builtin.unrealized_conversion_cast %c256 : index to memref<64xf16, "L1">
  scf.for %t = %c0 to %c4 step %c1 {
    scf.for %i = %c0 to %c7 step %c1 {
      %phase = ktdf.buffer_phase(%i) {num_phases = 2 : i64} : index
      %b = ktdf.select_memref %phase[%x, %y] : memref<64xf16, "L1">
      ktdf.pipeline modulo(size : 2) {
        %f = ktdf.private -> (!ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>) {
          %g = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
          ktdf.private_yield %g : !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
        }
        ktdf.stage depends_in(none) depends_out(none) {
          ktdf.data_transfer from %a[%i * 64] size [64] to %b[0] size [64] : memref<448xf16, "DDR">, memref<64xf16, "L1">
        } {applicable_units = ["MNILU"]}
        ktdf.stage depends_in(none) depends_out(none) {
          ktdf.data_transfer from %b[0] size [64] to %f size [64] : memref<64xf16, "L1">, !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
        } {applicable_units = ["L1LU"]}
      }
    }
  }
  return
}

// Two loops in turn use the same buffers: each hands them back when it is over.
// CHECK-LABEL: func.func @twice(
// CHECK: scf.for
// CHECK-NEXT: ktdf_lowering.signal %{{.*}} {headrace.count = 2 : i32, headrace.role = "send", {{.*}}headrace.signal = [[FREE:[0-9]+]]
// CHECK-NEXT: scf.for
// CHECK: ktdf_lowering.signal %{{.*}} {headrace.role = "recv", {{.*}}headrace.signal = [[FREE]]
// CHECK: ktdf_lowering.signal %{{.*}} {headrace.role = "send", {{.*}}headrace.signal = [[FULL:[0-9]+]]
// CHECK: ktdf_lowering.signal %{{.*}} {headrace.role = "recv", {{.*}}headrace.signal = [[FULL]]
// CHECK: ktdf_lowering.signal %{{.*}} {headrace.role = "send", {{.*}}headrace.signal = [[FREE]]
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: ktdf_lowering.signal %{{.*}} {headrace.count = 2 : i32, headrace.role = "recv", {{.*}}headrace.signal = [[FREE]]
// CHECK-NEXT: ktdf_lowering.signal %{{.*}} {headrace.count = 2 : i32, headrace.role = "send", {{.*}}headrace.signal = [[OTHER:[0-9]+]]
// CHECK-NEXT: scf.for
// CHECK: ktdf_lowering.signal %{{.*}} {headrace.role = "recv", {{.*}}headrace.signal = [[OTHER]]
// CHECK: ktdf_lowering.signal %{{.*}} {headrace.role = "send", {{.*}}headrace.signal = [[OTHER]]
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: ktdf_lowering.signal %{{.*}} {headrace.count = 2 : i32, headrace.role = "recv", {{.*}}headrace.signal = [[OTHER]]
// CHECK-NEXT: }
func.func @twice() attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c256 = arith.constant 256 : index
  %a = builtin.unrealized_conversion_cast %c0 : index to memref<512xf16, "DDR">
  %x = builtin.unrealized_conversion_cast %c0 : index to memref<64xf16, "L1">
  %y = builtin.unrealized_conversion_cast %c256 : index to memref<64xf16, "L1">
  scf.for %t = %c0 to %c4 step %c1 {
    scf.for %i = %c0 to %c8 step %c1 {
      %phase = ktdf.buffer_phase(%i) {num_phases = 2 : i64} : index
      %b = ktdf.select_memref %phase[%x, %y] : memref<64xf16, "L1">
      ktdf.pipeline modulo(size : 2) {
        %f = ktdf.private -> (!ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>) {
          %g = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
          ktdf.private_yield %g : !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
        }
        ktdf.stage depends_in(none) depends_out(none) {
          ktdf.data_transfer from %a[%i * 64] size [64] to %b[0] size [64] : memref<512xf16, "DDR">, memref<64xf16, "L1">
        } {applicable_units = ["MNILU"]}
        ktdf.stage depends_in(none) depends_out(none) {
          ktdf.data_transfer from %b[0] size [64] to %f size [64] : memref<64xf16, "L1">, !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
        } {applicable_units = ["L1LU"]}
      }
    }
    scf.for %i = %c0 to %c8 step %c1 {
      %phase = ktdf.buffer_phase(%i) {num_phases = 2 : i64} : index
      %b = ktdf.select_memref %phase[%x, %y] : memref<64xf16, "L1">
      ktdf.pipeline modulo(size : 2) {
        %f = ktdf.private -> (!ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>) {
          %g = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
          ktdf.private_yield %g : !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
        }
        ktdf.stage depends_in(none) depends_out(none) {
          ktdf.data_transfer from %a[%i * 64] size [64] to %b[0] size [64] : memref<512xf16, "DDR">, memref<64xf16, "L1">
        } {applicable_units = ["MNILU"]}
        ktdf.stage depends_in(none) depends_out(none) {
          ktdf.data_transfer from %b[0] size [64] to %f size [64] : memref<64xf16, "L1">, !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
        } {applicable_units = ["L1LU"]}
      }
    }
  }
  return
}

// A rotation over two loops: what counts is the product of their iterations.
// CHECK-LABEL: func.func @nested(
// CHECK: ktdf_lowering.signal %{{.*}} {headrace.count = 2 : i32, headrace.role = "send", {{.*}}headrace.signal = [[FREE:[0-9]+]]
// CHECK-NEXT: scf.for
// CHECK-NEXT: scf.for
// CHECK-NEXT: scf.for
// CHECK: ktdf_lowering.signal %{{.*}} {headrace.role = "recv", {{.*}}headrace.signal = [[FREE]]
// CHECK: ktdf_lowering.signal %{{.*}} {headrace.role = "send", {{.*}}headrace.signal = [[FREE]]
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: ktdf_lowering.signal %{{.*}} {headrace.count = 2 : i32, headrace.role = "recv", {{.*}}headrace.signal = [[FREE]]
func.func @nested() attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c256 = arith.constant 256 : index
  %a = builtin.unrealized_conversion_cast %c0 : index to memref<512xf16, "DDR">
  %x = builtin.unrealized_conversion_cast %c0 : index to memref<64xf16, "L1">
  %y = builtin.unrealized_conversion_cast %c256 : index to memref<64xf16, "L1">
  scf.for %t = %c0 to %c4 step %c1 {
    scf.for %i = %c0 to %c3 step %c1 {
      scf.for %j = %c0 to %c4 step %c1 {
        %phase = ktdf.buffer_phase(%i, %j) {num_phases = 2 : i64} : index
        %b = ktdf.select_memref %phase[%x, %y] : memref<64xf16, "L1">
        ktdf.pipeline modulo(size : 2) {
          %f = ktdf.private -> (!ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>) {
            %g = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
            ktdf.private_yield %g : !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
          }
          ktdf.stage depends_in(none) depends_out(none) {
            ktdf.data_transfer from %a[%j * 64] size [64] to %b[0] size [64] : memref<512xf16, "DDR">, memref<64xf16, "L1">
          } {applicable_units = ["MNILU"]}
          ktdf.stage depends_in(none) depends_out(none) {
            ktdf.data_transfer from %b[0] size [64] to %f size [64] : memref<64xf16, "L1">, !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
          } {applicable_units = ["L1LU"]}
        }
      }
    }
  }
  return
}
