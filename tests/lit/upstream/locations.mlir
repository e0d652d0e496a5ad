// Locations, with aliases defined at the end.
// RUN: %headrace-opt %s --mlir-print-debuginfo | %filecheck %s
// RUN: %headrace-opt %s | %filecheck %s --check-prefix=PLAIN

// CHECK: func.func @f(%arg0: index loc("kernel.py":3:1)) -> index {
// PLAIN: func.func @f(%arg0: index) -> index {
func.func @f(%a: index loc("kernel.py":3:1)) -> index {
  // CHECK: arith.addi %arg0, %arg0 : index loc([[NAME:#loc[0-9]+]])
  // PLAIN: arith.addi %arg0, %arg0 : index{{$}}
  %0 = arith.addi %a, %a : index loc(#loc7)
  // CHECK: arith.muli %0, %0 : index loc([[CALL:#loc[0-9]+]])
  %1 = arith.muli %0, %0 : index loc(callsite("a.py":1:2 at "b.py":3:4))
  // CHECK: arith.muli %1, %1 : index loc([[FUSED:#loc[0-9]+]])
  %2 = arith.muli %1, %1 : index loc(fused["a.py":1:2, "x"])
  // CHECK: arith.muli %2, %2 : index loc([[RANGE:#loc[0-9]+]])
  %3 = arith.muli %2, %2 : index loc("a.py":1:2 to :9)
  return %3 : index loc(#loc1)
} loc(#loc1)
#loc1 = loc(unknown)
#loc2 = loc("kernel.py":3:4)
#loc7 = loc("tmp"(#loc2))
// CHECK: [[K:#loc[0-9]+]] = loc("kernel.py":3:4)
// CHECK: [[A:#loc[0-9]+]] = loc("a.py":1:2)
// CHECK: [[B:#loc[0-9]+]] = loc("b.py":3:4)
// CHECK: [[X:#loc[0-9]+]] = loc("x")
// CHECK: [[RANGE]] = loc("a.py":1:2 to :9)
// CHECK: [[NAME]] = loc("tmp"([[K]]))
// CHECK: [[CALL]] = loc(callsite([[A]] at [[B]]))
// CHECK: [[FUSED]] = loc(fused{{\[}}[[A]], [[X]]])
