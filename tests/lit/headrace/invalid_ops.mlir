// Each operation of headrace with something wrong about it.
// RUN: %headrace-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

func.func @f() {
  // expected-error @+1 {{'headrace.matrix_read' op requires a single operand}}
  %r = "headrace.matrix_read"() : () -> vector<64xf16>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'headrace.matrix_setup' op requires attribute 'k'}}
  "headrace.matrix_setup"() : () -> ()
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'headrace.matrix_clear' op requires zero operands}}
  "headrace.matrix_clear"(%x) : (f32) -> ()
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'headrace.matrix_fill' op requires a single operand}}
  "headrace.matrix_fill"() : () -> ()
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'headrace.matrix_load' op expected 2 operands, but found 0}}
  "headrace.matrix_load"() : () -> ()
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'headrace.matrix_multiply' op expected 2 operands, but found 0}}
  "headrace.matrix_multiply"() : () -> ()
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'headrace.matrix_swap' op requires zero operands}}
  "headrace.matrix_swap"(%x) : (f32) -> ()
  return
}
