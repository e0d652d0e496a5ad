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

// -----

func.func @f(%a: memref<64xf16>) {
  // expected-error @+1 {{tile 0 sends twice in one round}}
  headrace.exchange(%a : memref<64xf16>) {number = 0 : i64, rounds = [{moves = [array<i64: 0, 1, 0, 0>, array<i64: 0, 2, 0, 0>], sizes = array<i64: 8>, source = 0 : i64, source_strides = array<i64: 1>, target = 0 : i64, target_strides = array<i64: 1>}]}
  return
}

// -----

func.func @f(%a: memref<64xf16>) {
  // expected-error @+1 {{a round names memref 1 of 1}}
  headrace.exchange(%a : memref<64xf16>) {number = 0 : i64, rounds = [{moves = [], sizes = array<i64: 8>, source = 0 : i64, source_strides = array<i64: 1>, target = 1 : i64, target_strides = array<i64: 1>}]}
  return
}

// -----

func.func @f(%a: memref<8x8xf16>) {
  // expected-error @+1 {{expected memrefs of rank 1, but got memref<8x8xf16>}}
  headrace.exchange(%a : memref<8x8xf16>) {number = 0 : i64, rounds = []}
  return
}

// -----

func.func @f(%a: memref<64xf16>) {
  // expected-error @+1 {{a round requires the entry 'target'}}
  headrace.exchange(%a : memref<64xf16>) {number = 0 : i64, rounds = [{source = 0 : i64}]}
  return
}

// -----

func.func @f(%a: memref<64xf32>) {
  // expected-error @+1 {{rings must have one length of at least 2}}
  headrace.ring_reduce(%a, %a, %a : memref<64xf32>, memref<64xf32>, memref<64xf32>) {block = 1 : i64, kind = "arith.addf", number = 0 : i64, rings = [array<i64: 0, 1>, array<i64: 2, 3, 4>]}
  return
}

// -----

func.func @f(%a: memref<64xf32>) {
  // expected-error @+1 {{a tile is in two rings}}
  headrace.ring_reduce(%a, %a, %a : memref<64xf32>, memref<64xf32>, memref<64xf32>) {block = 1 : i64, kind = "arith.addf", number = 0 : i64, rings = [array<i64: 0, 1>, array<i64: 1, 2>]}
  return
}
