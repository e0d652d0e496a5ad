// The non-standard name that real files use.
// RUN: %headrace-opt %s | %headrace-opt | %filecheck %s
// RUN: %headrace-opt %s --mlir-print-op-generic | %headrace-opt | %filecheck %s

func.func @f(%x: f32) -> f32 {
  // CHECK: arith.absf %{{.*}} : f32
  %0 = arith.absf %x : f32
  return %0 : f32
}
