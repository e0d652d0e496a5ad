// The generic passes through both ways of writing a pipeline.
// RUN: %headrace-opt %s --canonicalize | %filecheck %s
// RUN: %headrace-opt %s --pass-pipeline='builtin.module(func.func(canonicalize,cse))' | %filecheck %s

// CHECK: affine_map<(d0) -> ((d0 + 8) * 3)>
// CHECK-LABEL: @f
// CHECK-NEXT: %c8 = arith.constant 8 : index
// CHECK-NEXT: %0 = arith.addi %c8, %arg0 : index
// CHECK-NEXT: %1 = affine.apply #map(%0)
// CHECK-NEXT: return %1
func.func @f(%a: index) -> index {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c4_0 = arith.constant 4 : index
  %x = arith.addi %c4, %c4_0 : index
  %r = scf.for %i = %c0 to %c4 step %c4_0 iter_args(%p = %x) -> index {
    %u = arith.addi %p, %a : index
    %dead = arith.muli %u, %u : index
    scf.yield %u : index
  }
  %q = affine.apply affine_map<(d0)[s0] -> (d0 + s0 * 2)>(%r)[%c4]
  %q2 = affine.apply affine_map<(d0) -> (d0 * 3)>(%q)
  return %q2 : index
}
