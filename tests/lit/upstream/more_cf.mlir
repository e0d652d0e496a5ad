// More forms of cf; an independent MLIR accepts and prints each of them the same way.
// RUN: %headrace-opt %s --allow-unregistered-dialect > %t.1
// RUN: %headrace-opt %t.1 --allow-unregistered-dialect > %t.2 && diff %t.1 %t.2
// RUN: %headrace-opt %s --allow-unregistered-dialect --mlir-print-op-generic | %headrace-opt --allow-unregistered-dialect > %t.3 && diff %t.1 %t.3
// RUN: %headrace-opt %s --allow-unregistered-dialect --mlir-print-debuginfo | %headrace-opt --allow-unregistered-dialect > %t.4 && diff %t.1 %t.4

func.func @f0(%c: i1) {
  cf.assert %c, "message"
  return
}

func.func @f1() {
  cf.br ^bb1
    ^bb1:
  return
}

func.func @f2(%a: i32) {
  cf.br ^bb1(%a : i32)
    ^bb1(%q: i32):
  return
}

func.func @f3(%a: i32, %c: i1) {
  cf.cond_br %c, ^bb1, ^bb2(%a : i32)
    ^bb1:
    return
    ^bb2(%q: i32):
  return
}

func.func @f4(%c: i1) {
  cf.cond_br %c weights([1, 3]), ^bb1, ^bb1
    ^bb1:
  return
}

func.func @f5(%a: i32) {
  cf.switch %a : i32, [default: ^bb1, 3: ^bb1, -2: ^bb1]
    ^bb1:
  return
}

func.func @f6(%a: i32, %x: f32) {
  cf.switch %a : i32, [default: ^bb1(%a : i32), 3: ^bb2(%x, %a : f32, i32)]
    ^bb1(%q: i32):
    return
    ^bb2(%y: f32, %z: i32):
  return
}
