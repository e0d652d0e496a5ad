// RUN: headrace-opt --ktdf-to-ktdflowering %s | filecheck %s

// A buffer that one distributed loop writes row by row and a later one reads row by row changes hands row by row: the
// writer signals each row in its loop and the reader waits for it in its own.

ktdf_arch.device @sample import("sample.mlir")

// Row %p belongs to the same instance in both loops. An instance has four rows, each with a credit.
// CHECK-LABEL: func.func @by_row(
// CHECK: ktdf_lowering.signal %{{.*}} {headrace.count = 4 : i32, headrace.role = "send", {{.*}}headrace.signal = [[FREE:[0-9]+]]
// CHECK-NEXT: scf.for
// CHECK-NEXT: ktdf.parallel
// CHECK-NEXT: ktdf_lowering.signal %{{.*}} {headrace.role = "recv", {{.*}}headrace.signal = [[FREE]]
// CHECK: ktdf.data_transfer {{.*}} to %[[B:.*]][%{{.*}}, 0] size [1, 64]
// CHECK: ktdf_lowering.signal %{{.*}} {headrace.role = "send", {{.*}}headrace.signal = [[FULL:[0-9]+]]
// CHECK-NEXT: ktdf.parallel_yield
// CHECK: ktdf.parallel (
// CHECK-NEXT: ktdf_lowering.signal %{{.*}} {headrace.role = "recv", {{.*}}headrace.signal = [[FULL]]
// CHECK: ktdf.data_transfer from %[[B]][%{{.*}}, 0] size [1, 64]
// CHECK: ktdf_lowering.signal %{{.*}} {headrace.role = "send", {{.*}}headrace.signal = [[FREE]]
// CHECK-NEXT: ktdf.parallel_yield
// CHECK: ktdf_lowering.signal %{{.*}} {headrace.count = 4 : i32, headrace.role = "recv", {{.*}}headrace.signal = [[FREE]]
func.func @by_row() attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %b = builtin.unrealized_conversion_cast %c0 : index to memref<8x64xf16, "L1">
  scf.for %t = %c0 to %c4 step %c1 {
    ktdf.parallel (%p, %i) = (%c0) to (%c8) step (%c1) distribute(num_instances = 2) {
      ktdf.pipeline {
        %f = ktdf.private -> (!ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>) {
          %g = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>
          ktdf.private_yield %g : !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>
        }
        ktdf.stage depends_in(none) depends_out(none) {
          ktdf.data_transfer from %f size [64] to %b[%p, 0] size [1, 64] : !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>, memref<8x64xf16, "L1">
        } {applicable_units = ["L1SU"]}
      }
      ktdf.parallel_yield
    }
    ktdf.parallel (%p, %i) = (%c0) to (%c8) step (%c1) distribute(num_instances = 2) {
      ktdf.pipeline {
        %f = ktdf.private -> (!ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>) {
          %g = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
          ktdf.private_yield %g : !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
        }
        ktdf.stage depends_in(none) depends_out(none) {
          ktdf.data_transfer from %b[%p, 0] size [1, 64] to %f size [64] : memref<8x64xf16, "L1">, !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
        } {applicable_units = ["L1LU"]}
      }
      ktdf.parallel_yield
    }
  }
  return
}

// What reads another row than was written in the same iteration waits for all of them.
// CHECK-LABEL: func.func @shifted(
// CHECK: ktdf_lowering.signal %{{.*}} {headrace.role = "send", {{.*}}headrace.signal = [[FREE:[0-9]+]]
// CHECK-NEXT: scf.for
// CHECK-NEXT: ktdf_lowering.signal %{{.*}} {headrace.role = "recv", {{.*}}headrace.signal = [[FREE]]
// CHECK-NEXT: ktdf.parallel
// CHECK-NOT: ktdf_lowering.signal
// CHECK: ktdf.parallel_yield
// CHECK-NEXT: }
// CHECK-NEXT: ktdf_lowering.signal %{{.*}} {headrace.role = "send", {{.*}}headrace.signal = [[FULL:[0-9]+]]
// CHECK-NEXT: ktdf_lowering.signal %{{.*}} {headrace.role = "recv", {{.*}}headrace.signal = [[FULL]]
// CHECK-NEXT: ktdf.parallel
// CHECK-NOT: ktdf_lowering.signal
// CHECK: ktdf.parallel_yield
// CHECK-NEXT: }
// CHECK-NEXT: ktdf_lowering.signal %{{.*}} {headrace.role = "send", {{.*}}headrace.signal = [[FREE]]
func.func @shifted() attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %b = builtin.unrealized_conversion_cast %c0 : index to memref<9x64xf16, "L1">
  scf.for %t = %c0 to %c4 step %c1 {
    ktdf.parallel (%p, %i) = (%c0) to (%c8) step (%c1) distribute(num_instances = 2) {
      ktdf.pipeline {
        %f = ktdf.private -> (!ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>) {
          %g = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>
          ktdf.private_yield %g : !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>
        }
        ktdf.stage depends_in(none) depends_out(none) {
          ktdf.data_transfer from %f size [64] to %b[%p, 0] size [1, 64] : !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>, memref<9x64xf16, "L1">
        } {applicable_units = ["L1SU"]}
      }
      ktdf.parallel_yield
    }
    ktdf.parallel (%p, %i) = (%c0) to (%c8) step (%c1) distribute(num_instances = 2) {
      ktdf.pipeline {
        %f = ktdf.private -> (!ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>) {
          %g = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
          ktdf.private_yield %g : !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
        }
        ktdf.stage depends_in(none) depends_out(none) {
          ktdf.data_transfer from %b[%p + 1, 0] size [1, 64] to %f size [64] : memref<9x64xf16, "L1">, !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
        } {applicable_units = ["L1LU"]}
      }
      ktdf.parallel_yield
    }
  }
  return
}

// What reads rows of the other instance beside its own waits for all of them.
// CHECK-LABEL: func.func @overlapping(
// CHECK: ktdf_lowering.signal %{{.*}} {headrace.role = "send", {{.*}}headrace.signal = [[FREE:[0-9]+]]
// CHECK-NEXT: scf.for
// CHECK-NEXT: ktdf_lowering.signal %{{.*}} {headrace.role = "recv", {{.*}}headrace.signal = [[FREE]]
// CHECK-NEXT: ktdf.parallel
// CHECK-NOT: ktdf_lowering.signal
// CHECK: ktdf.parallel_yield
// CHECK-NEXT: }
// CHECK-NEXT: ktdf_lowering.signal %{{.*}} {headrace.role = "send", {{.*}}headrace.signal = [[FULL:[0-9]+]]
// CHECK-NEXT: ktdf_lowering.signal %{{.*}} {headrace.role = "recv", {{.*}}headrace.signal = [[FULL]]
// CHECK-NEXT: ktdf.parallel
// CHECK-NOT: ktdf_lowering.signal
// CHECK: ktdf.parallel_yield
// CHECK-NEXT: }
// CHECK-NEXT: ktdf_lowering.signal %{{.*}} {headrace.role = "send", {{.*}}headrace.signal = [[FREE]]
func.func @overlapping() attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %b = builtin.unrealized_conversion_cast %c0 : index to memref<9x64xf16, "L1">
  scf.for %t = %c0 to %c4 step %c1 {
    ktdf.parallel (%p, %i) = (%c0) to (%c8) step (%c1) distribute(num_instances = 2) {
      ktdf.pipeline {
        %f = ktdf.private -> (!ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>) {
          %g = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>
          ktdf.private_yield %g : !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>
        }
        ktdf.stage depends_in(none) depends_out(none) {
          ktdf.data_transfer from %f size [64] to %b[%p, 0] size [1, 64] : !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>, memref<9x64xf16, "L1">
        } {applicable_units = ["L1SU"]}
      }
      ktdf.parallel_yield
    }
    ktdf.parallel (%p, %i) = (%c0) to (%c8) step (%c1) distribute(num_instances = 2) {
      ktdf.pipeline {
        %f = ktdf.private -> (!ktdf.fifo.slot<"L1LU" -> "SFU", 128xf16>) {
          %g = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"L1LU" -> "SFU", 128xf16>
          ktdf.private_yield %g : !ktdf.fifo.slot<"L1LU" -> "SFU", 128xf16>
        }
        ktdf.stage depends_in(none) depends_out(none) {
          ktdf.data_transfer from %b[%p, 0] size [2, 64] to %f size [128] : memref<9x64xf16, "L1">, !ktdf.fifo.slot<"L1LU" -> "SFU", 128xf16>
        } {applicable_units = ["L1LU"]}
      }
      ktdf.parallel_yield
    }
  }
  return
}

// A row belongs to the same instance only until the next %t.
// CHECK-LABEL: func.func @moving(
// CHECK: ktdf_lowering.signal %{{.*}} {headrace.role = "send", {{.*}}headrace.signal = [[FREE:[0-9]+]]
// CHECK-NEXT: scf.for
// CHECK-NEXT: ktdf_lowering.signal %{{.*}} {headrace.role = "recv", {{.*}}headrace.signal = [[FREE]]
// CHECK-NEXT: ktdf.parallel
// CHECK-NOT: ktdf_lowering.signal
// CHECK: ktdf.parallel_yield
// CHECK-NEXT: }
// CHECK-NEXT: ktdf_lowering.signal %{{.*}} {headrace.role = "send", {{.*}}headrace.signal = [[FULL:[0-9]+]]
// CHECK-NEXT: ktdf_lowering.signal %{{.*}} {headrace.role = "recv", {{.*}}headrace.signal = [[FULL]]
// CHECK-NEXT: ktdf.parallel
// CHECK-NOT: ktdf_lowering.signal
// CHECK: ktdf.parallel_yield
// CHECK-NEXT: }
// CHECK-NEXT: ktdf_lowering.signal %{{.*}} {headrace.role = "send", {{.*}}headrace.signal = [[FREE]]
func.func @moving() attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %b = builtin.unrealized_conversion_cast %c0 : index to memref<11x64xf16, "L1">
  scf.for %t = %c0 to %c4 step %c1 {
    ktdf.parallel (%p, %i) = (%c0) to (%c8) step (%c1) distribute(num_instances = 2) {
      ktdf.pipeline {
        %f = ktdf.private -> (!ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>) {
          %g = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>
          ktdf.private_yield %g : !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>
        }
        ktdf.stage depends_in(none) depends_out(none) {
          ktdf.data_transfer from %f size [64] to %b[%p + %t, 0] size [1, 64] : !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>, memref<11x64xf16, "L1">
        } {applicable_units = ["L1SU"]}
      }
      ktdf.parallel_yield
    }
    ktdf.parallel (%p, %i) = (%c0) to (%c8) step (%c1) distribute(num_instances = 2) {
      ktdf.pipeline {
        %f = ktdf.private -> (!ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>) {
          %g = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
          ktdf.private_yield %g : !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
        }
        ktdf.stage depends_in(none) depends_out(none) {
          ktdf.data_transfer from %b[%p + %t, 0] size [1, 64] to %f size [64] : memref<11x64xf16, "L1">, !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
        } {applicable_units = ["L1LU"]}
      }
      ktdf.parallel_yield
    }
  }
  return
}

// One instance has four rows and the other three.
// CHECK-LABEL: func.func @uneven(
// CHECK: ktdf_lowering.signal %{{.*}} {headrace.role = "send", {{.*}}headrace.signal = [[FREE:[0-9]+]]
// CHECK-NEXT: scf.for
// CHECK-NEXT: ktdf_lowering.signal %{{.*}} {headrace.role = "recv", {{.*}}headrace.signal = [[FREE]]
// CHECK-NEXT: ktdf.parallel
// CHECK-NOT: ktdf_lowering.signal
// CHECK: ktdf.parallel_yield
// CHECK-NEXT: }
// CHECK-NEXT: ktdf_lowering.signal %{{.*}} {headrace.role = "send", {{.*}}headrace.signal = [[FULL:[0-9]+]]
// CHECK-NEXT: ktdf_lowering.signal %{{.*}} {headrace.role = "recv", {{.*}}headrace.signal = [[FULL]]
// CHECK-NEXT: ktdf.parallel
// CHECK-NOT: ktdf_lowering.signal
// CHECK: ktdf.parallel_yield
// CHECK-NEXT: }
// CHECK-NEXT: ktdf_lowering.signal %{{.*}} {headrace.role = "send", {{.*}}headrace.signal = [[FREE]]
func.func @uneven() attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  %b = builtin.unrealized_conversion_cast %c0 : index to memref<8x64xf16, "L1">
  scf.for %t = %c0 to %c4 step %c1 {
    ktdf.parallel (%p, %i) = (%c0) to (%c7) step (%c1) distribute(num_instances = 2) {
      ktdf.pipeline {
        %f = ktdf.private -> (!ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>) {
          %g = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>
          ktdf.private_yield %g : !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>
        }
        ktdf.stage depends_in(none) depends_out(none) {
          ktdf.data_transfer from %f size [64] to %b[%p, 0] size [1, 64] : !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>, memref<8x64xf16, "L1">
        } {applicable_units = ["L1SU"]}
      }
      ktdf.parallel_yield
    }
    ktdf.parallel (%p, %i) = (%c0) to (%c7) step (%c1) distribute(num_instances = 2) {
      ktdf.pipeline {
        %f = ktdf.private -> (!ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>) {
          %g = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
          ktdf.private_yield %g : !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
        }
        ktdf.stage depends_in(none) depends_out(none) {
          ktdf.data_transfer from %b[%p, 0] size [1, 64] to %f size [64] : memref<8x64xf16, "L1">, !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
        } {applicable_units = ["L1LU"]}
      }
      ktdf.parallel_yield
    }
  }
  return
}

// Some rows are written that are not read.
// CHECK-LABEL: func.func @fewer(
// CHECK: ktdf_lowering.signal %{{.*}} {headrace.role = "send", {{.*}}headrace.signal = [[FREE:[0-9]+]]
// CHECK-NEXT: scf.for
// CHECK-NEXT: ktdf_lowering.signal %{{.*}} {headrace.role = "recv", {{.*}}headrace.signal = [[FREE]]
// CHECK-NEXT: ktdf.parallel
// CHECK-NOT: ktdf_lowering.signal
// CHECK: ktdf.parallel_yield
// CHECK-NEXT: }
// CHECK-NEXT: ktdf_lowering.signal %{{.*}} {headrace.role = "send", {{.*}}headrace.signal = [[FULL:[0-9]+]]
// CHECK-NEXT: ktdf_lowering.signal %{{.*}} {headrace.role = "recv", {{.*}}headrace.signal = [[FULL]]
// CHECK-NEXT: ktdf.parallel
// CHECK-NOT: ktdf_lowering.signal
// CHECK: ktdf.parallel_yield
// CHECK-NEXT: }
// CHECK-NEXT: ktdf_lowering.signal %{{.*}} {headrace.role = "send", {{.*}}headrace.signal = [[FREE]]
func.func @fewer() attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %b = builtin.unrealized_conversion_cast %c0 : index to memref<8x64xf16, "L1">
  scf.for %t = %c0 to %c4 step %c1 {
    ktdf.parallel (%p, %i) = (%c0) to (%c8) step (%c1) distribute(num_instances = 2) {
      ktdf.pipeline {
        %f = ktdf.private -> (!ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>) {
          %g = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>
          ktdf.private_yield %g : !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>
        }
        ktdf.stage depends_in(none) depends_out(none) {
          ktdf.data_transfer from %f size [64] to %b[%p, 0] size [1, 64] : !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>, memref<8x64xf16, "L1">
        } {applicable_units = ["L1SU"]}
      }
      ktdf.parallel_yield
    }
    ktdf.parallel (%p, %i) = (%c0) to (%c4) step (%c1) distribute(num_instances = 2) {
      ktdf.pipeline {
        %f = ktdf.private -> (!ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>) {
          %g = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
          ktdf.private_yield %g : !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
        }
        ktdf.stage depends_in(none) depends_out(none) {
          ktdf.data_transfer from %b[%p, 0] size [1, 64] to %f size [64] : memref<8x64xf16, "L1">, !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
        } {applicable_units = ["L1LU"]}
      }
      ktdf.parallel_yield
    }
  }
  return
}

// Row %p of what is read is row %p + 1 of what is written.
// CHECK-LABEL: func.func @elsewhere(
// CHECK: ktdf_lowering.signal %{{.*}} {headrace.role = "send", {{.*}}headrace.signal = [[FREE:[0-9]+]]
// CHECK-NEXT: scf.for
// CHECK-NEXT: ktdf_lowering.signal %{{.*}} {headrace.role = "recv", {{.*}}headrace.signal = [[FREE]]
// CHECK-NEXT: ktdf.parallel
// CHECK-NOT: ktdf_lowering.signal
// CHECK: ktdf.parallel_yield
// CHECK-NEXT: }
// CHECK-NEXT: ktdf_lowering.signal %{{.*}} {headrace.role = "send", {{.*}}headrace.signal = [[FULL:[0-9]+]]
// CHECK-NEXT: ktdf_lowering.signal %{{.*}} {headrace.role = "recv", {{.*}}headrace.signal = [[FULL]]
// CHECK-NEXT: ktdf.parallel
// CHECK-NOT: ktdf_lowering.signal
// CHECK: ktdf.parallel_yield
// CHECK-NEXT: }
// CHECK-NEXT: ktdf_lowering.signal %{{.*}} {headrace.role = "send", {{.*}}headrace.signal = [[FREE]]
func.func @elsewhere() attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %b = builtin.unrealized_conversion_cast %c0 : index to memref<8x64xf16, "L1">
  %c128 = arith.constant 128 : index
  %d = builtin.unrealized_conversion_cast %c128 : index to memref<8x64xf16, "L1">
  scf.for %t = %c0 to %c4 step %c1 {
    ktdf.parallel (%p, %i) = (%c0) to (%c8) step (%c1) distribute(num_instances = 2) {
      ktdf.pipeline {
        %f = ktdf.private -> (!ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>) {
          %g = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>
          ktdf.private_yield %g : !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>
        }
        ktdf.stage depends_in(none) depends_out(none) {
          ktdf.data_transfer from %f size [64] to %b[%p, 0] size [1, 64] : !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>, memref<8x64xf16, "L1">
        } {applicable_units = ["L1SU"]}
      }
      ktdf.parallel_yield
    }
    ktdf.parallel (%p, %i) = (%c0) to (%c8) step (%c1) distribute(num_instances = 2) {
      ktdf.pipeline {
        %f = ktdf.private -> (!ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>) {
          %g = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
          ktdf.private_yield %g : !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
        }
        ktdf.stage depends_in(none) depends_out(none) {
          ktdf.data_transfer from %d[%p, 0] size [1, 64] to %f size [64] : memref<8x64xf16, "L1">, !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
        } {applicable_units = ["L1LU"]}
      }
      ktdf.parallel_yield
    }
  }
  return
}

// A counter of signals has no room for the 65 rows of an instance.
// CHECK-LABEL: func.func @many(
// CHECK: ktdf_lowering.signal %{{.*}} {headrace.role = "send", {{.*}}headrace.signal = [[FREE:[0-9]+]]
// CHECK-NEXT: scf.for
// CHECK-NEXT: ktdf_lowering.signal %{{.*}} {headrace.role = "recv", {{.*}}headrace.signal = [[FREE]]
// CHECK-NEXT: ktdf.parallel
// CHECK-NOT: ktdf_lowering.signal
// CHECK: ktdf.parallel_yield
// CHECK-NEXT: }
// CHECK-NEXT: ktdf_lowering.signal %{{.*}} {headrace.role = "send", {{.*}}headrace.signal = [[FULL:[0-9]+]]
// CHECK-NEXT: ktdf_lowering.signal %{{.*}} {headrace.role = "recv", {{.*}}headrace.signal = [[FULL]]
// CHECK-NEXT: ktdf.parallel
// CHECK-NOT: ktdf_lowering.signal
// CHECK: ktdf.parallel_yield
// CHECK-NEXT: }
// CHECK-NEXT: ktdf_lowering.signal %{{.*}} {headrace.role = "send", {{.*}}headrace.signal = [[FREE]]
func.func @many() attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c130 = arith.constant 130 : index
  %b = builtin.unrealized_conversion_cast %c0 : index to memref<130x64xf16, "L1">
  scf.for %t = %c0 to %c4 step %c1 {
    ktdf.parallel (%p, %i) = (%c0) to (%c130) step (%c1) distribute(num_instances = 2) {
      ktdf.pipeline {
        %f = ktdf.private -> (!ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>) {
          %g = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>
          ktdf.private_yield %g : !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>
        }
        ktdf.stage depends_in(none) depends_out(none) {
          ktdf.data_transfer from %f size [64] to %b[%p, 0] size [1, 64] : !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>, memref<130x64xf16, "L1">
        } {applicable_units = ["L1SU"]}
      }
      ktdf.parallel_yield
    }
    ktdf.parallel (%p, %i) = (%c0) to (%c130) step (%c1) distribute(num_instances = 2) {
      ktdf.pipeline {
        %f = ktdf.private -> (!ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>) {
          %g = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
          ktdf.private_yield %g : !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
        }
        ktdf.stage depends_in(none) depends_out(none) {
          ktdf.data_transfer from %b[%p, 0] size [1, 64] to %f size [64] : memref<130x64xf16, "L1">, !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
        } {applicable_units = ["L1LU"]}
      }
      ktdf.parallel_yield
    }
  }
  return
}
