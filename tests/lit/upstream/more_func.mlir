// More forms of func; an independent MLIR accepts and prints each of them the same way.
// RUN: %headrace-opt %s --allow-unregistered-dialect > %t.1
// RUN: %headrace-opt %t.1 --allow-unregistered-dialect > %t.2 && diff %t.1 %t.2
// RUN: %headrace-opt %s --allow-unregistered-dialect --mlir-print-op-generic | %headrace-opt --allow-unregistered-dialect > %t.3 && diff %t.1 %t.3
// RUN: %headrace-opt %s --allow-unregistered-dialect --mlir-print-debuginfo | %headrace-opt --allow-unregistered-dialect > %t.4 && diff %t.1 %t.4

func.func @f0() {
  %0 = func.constant @f0 : () -> ()
  return
}

func.func @f1(%a: i32) {
  call @f1(%a) : (i32) -> ()
  return
}

func.func @f2(%a: i32) {
  %0 = "test.foo"(%a) {x = 1 : i32} : (i32) -> !foo.bar<x>
  return
}

func.func @f3() {
  "test.foo"() ({ ^bb0(%q: i32): "test.bar"(%q) : (i32) -> () }, {}) : () -> ()
  return
}
