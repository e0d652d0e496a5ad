// Refused operations of func; an independent MLIR refuses each of them too.
// RUN: %headrace-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

func.func @f() {
  // expected-error @+1 {{'func.constant' op reference to function with mismatched type: 'i32' against '() -> ()'}}
  %0 = "func.constant"() <{value = @f}> : () -> (i32)
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'func.constant' op reference to undefined function 'nope'}}
  %0 = func.constant @nope : () -> ()
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'func.call' op 'nope' does not reference a valid function}}
  func.call @nope() : () -> ()
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'func.call' op result type mismatch: function @f returns ()}}
  %0 = call @f() : () -> i32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{use of value '%a' expects different type than prior uses: '() -> ()' vs 'i32'}}
  func.call_indirect %a() : () -> ()
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'func.return' op has 1 operands, but enclosing function (@f) returns 0}}
  return %a : i32
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{Dialect `complex' not found for custom op 'complex.constant'}}
  %0 = complex.constant [1.0, 2.0] : complex<f32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{operand #0 does not dominate this use}}
  %0 = "test.a"(%0) : (i32) -> i32
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'func.func' op symbol's parent must have the SymbolTable trait}}
  func.func @f() { return }
  return
}

// -----

// expected-error @+1 {{entry block of region may not have predecessors}}
func.func @around() {
^bb0:
  cf.br ^bb0
}
