// A block that control never reaches the end of.
// RUN: %headrace-opt %s | %headrace-opt | %filecheck %s
// RUN: %headrace-opt %s --mlir-print-op-generic | %headrace-opt | %filecheck %s

func.func @f() {
  // CHECK: ub.unreachable
  ub.unreachable
}
