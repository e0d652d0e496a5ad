// Refused operations of cf; an independent MLIR refuses each of them too.
// RUN: %headrace-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

func.func @f(%a: i32) {
  // expected-error @+1 {{use of value '%a' expects different type than prior uses: 'i1' vs 'i32'}}
  cf.assert %a, "message"
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'cf.br' op type mismatch for bb argument #0 of successor #0: 'i32' against 'f32'}}
  cf.br ^bb1(%a : i32)
    ^bb1(%q: f32):
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'cf.br' op branch has 1 operands for successor #0, but target block has 0}}
  cf.br ^bb1(%a : i32)
    ^bb1:
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{reference to an undefined block '^nope'; did you mean 'nope'?}}
  cf.br ^nope
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{use of value '%a' expects different type than prior uses: 'i1' vs 'i32'}}
  cf.cond_br %a, ^bb1, ^bb1
    ^bb1:
  return
}

// -----

func.func @f(%a: i32, %x: f32, %c: i1) {
  // expected-error @+1 {{'cf.cond_br' op type mismatch for bb argument #0 of successor #1: 'f32' against 'i32'}}
  cf.cond_br %c, ^bb1(%a : i32), ^bb1(%x : f32)
    ^bb1(%q: i32):
  return
}

// -----

func.func @f(%a: i32, %x: f32) {
  // expected-error @+1 {{'cf.switch' op type mismatch for bb argument #0 of successor #0: 'f32' against 'i32'}}
  cf.switch %a : i32, [default: ^bb1(%x : f32), 3: ^bb1(%a : i32)]
    ^bb1(%q: i32):
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'cf.switch' op has the unexpected type f32}}
  cf.switch %x : f32, [default: ^bb1]
    ^bb1:
  return
}

// -----

func.func @f(%a: i32) {
  cf.br ^bb2
    ^bb1:
    %w = arith.addi %v, %v : i32
    return
    ^bb2:
    %v = arith.addi %a, %a : i32
    // expected-error @+1 {{'cf.br' op must be the last operation in the parent block}}
    cf.br ^bb1
  return
}

// -----

func.func @f(%a: i32, %c: i1) {
  cf.cond_br %c, ^bb1, ^bb2
    ^bb1:
    %v = arith.addi %a, %a : i32
    cf.br ^bb3
    ^bb2:
    cf.br ^bb3
    ^bb3:
    // expected-error @+1 {{operand #0 does not dominate this use}}
    %w = arith.addi %v, %v : i32
  return
}
