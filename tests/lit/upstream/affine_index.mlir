// RUN: %headrace-opt %s | %headrace-opt | %filecheck %s
// RUN: %headrace-opt %s --mlir-print-op-generic | %headrace-opt | %filecheck %s

// CHECK-LABEL: func.func @affine
func.func @affine(%i: index, %n: index, %m: memref<8x8xf32>) {
  // CHECK: %{{.*}}:3 = affine.delinearize_index %arg0 into (4, %arg1, 16) : index, index, index
  %0:3 = affine.delinearize_index %i into (4, %n, 16) : index, index, index
  // CHECK: affine.linearize_index disjoint [%arg0, %arg0] by (%arg1, 5) : index
  %1 = affine.linearize_index disjoint [%i, %i] by (%n, 5) : index
  // CHECK: affine.prefetch %arg2[%arg0, %arg0 + 5], write, locality<3>, instr : memref<8x8xf32>
  affine.prefetch %m[%i, %i + 5], write, locality<3>, instr : memref<8x8xf32>
  return
}
