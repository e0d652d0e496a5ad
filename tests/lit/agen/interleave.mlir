// Bursts of composite operations.
// RUN: %headrace-opt %s | %headrace-opt | %filecheck %s
// RUN: %headrace-opt %s --mlir-print-op-generic | %headrace-opt | %filecheck %s

func.func @f() {
  // CHECK: agen.composite_memory_interleave {granularity = 64 : i32}
  agen.composite_memory_interleave {granularity = 64 : i32} {
    agen.yield
  }
  return
}
