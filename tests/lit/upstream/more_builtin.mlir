// More forms of builtin; an independent MLIR accepts and prints each of them the same way.
// RUN: %headrace-opt %s --allow-unregistered-dialect > %t.1
// RUN: %headrace-opt %t.1 --allow-unregistered-dialect > %t.2 && diff %t.1 %t.2
// RUN: %headrace-opt %s --allow-unregistered-dialect --mlir-print-op-generic | %headrace-opt --allow-unregistered-dialect > %t.3 && diff %t.1 %t.3
// RUN: %headrace-opt %s --allow-unregistered-dialect --mlir-print-debuginfo | %headrace-opt --allow-unregistered-dialect > %t.4 && diff %t.1 %t.4

func.func @f0(%a: i32) {
  %0 = builtin.unrealized_conversion_cast %a : i32 to f32
  return
}

func.func @f1() {
  %0:2 = builtin.unrealized_conversion_cast to i32, i32
  return
}

func.func @f2() {
  builtin.module { }
  return
}
