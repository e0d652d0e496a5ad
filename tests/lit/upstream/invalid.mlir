// Wrong upstream IR and what is said about it.
// RUN: %headrace-opt %s --split-input-file --verify-diagnostics

func.func @redefinition(%a: i32) -> i32 {
  // expected-error@+1 {{redefinition of SSA value '%a'}}
  %a = arith.addi %a, %a : i32
  return %a : i32
}

// -----

func.func @returns(%a: i32) -> f32 {
  // expected-error@+1 {{'func.return' op type of return operand 0 ('i32') doesn't match function result type ('f32') in function @returns}}
  return %a : i32
}

// -----

func.func @undeclared() {
  // expected-error@below {{use of undeclared SSA value name '%missing'}}
  %0 = arith.negf %missing : f32
  return
}

// -----

func.func @typo(%a: i32) {
  // expected-error@+1 {{custom op 'arith.adddi' is unknown; did you mean 'arith.addi'?}}
  %0 = arith.adddi %a, %a : i32
  return
}

// -----

func.func @dialect(%a: i32) {
  // expected-error@+1 {{Dialect `aritth' not found for custom op 'aritth.addi'; did you mean 'arith'?}}
  %0 = aritth.addi %a, %a : i32
  return
}

// -----

func.func @types(%a: i32) {
  // expected-error@+1 {{use of value '%a' expects different type than prior uses: 'f32' vs 'i32'}}
  %0 = arith.negf %a : f32
  return
}

// -----

func.func @floats(%a: i32) {
  // expected-error@+1 {{'arith.addf' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = arith.addf %a, %a : i32
  return
}

// -----

func.func @order(%a: i32) {
  // expected-error@+2 {{operand #0 does not dominate this use}}
  // expected-note@+2 {{operand defined here}}
  %0 = arith.addi %1, %a : i32
  %1 = arith.addi %a, %a : i32
  return
}

// -----

func.func @shapes(%a: tensor<4xf16>, %b: tensor<8xf16>) {
  // expected-error-re@+1 {{'linalg.add' op input #1 has shape {{[0-9]+}}, but the output has 4}}
  %0 = linalg.add ins(%a, %b : tensor<4xf16>, tensor<8xf16>) outs(%a : tensor<4xf16>) -> tensor<4xf16>
  return
}

// -----

func.func @matmul(%a: tensor<4x8xf16>) {
  // expected-error@+1 {{'linalg.matmul' op inferred input/output operand #1 has shape's dimension #0 to be 8, but found 4}}
  %0 = linalg.matmul ins(%a, %a : tensor<4x8xf16>, tensor<4x8xf16>) outs(%a : tensor<4x8xf16>) -> tensor<4x8xf16>
  return
}

// -----

func.func @cast(%a: f32) {
  // expected-error@+1 {{'arith.truncf' op result type 'f64' must be shorter than operand type 'f32'}}
  %0 = arith.truncf %a : f32 to f64
  return
}

// -----

func.func @predicate(%a: i32) {
  // expected-error@+1 {{unknown predicate 'sltt'; did you mean 'slt'?}}
  %0 = arith.cmpi sltt, %a, %a : i32
  return
}

// -----

#map = affine_map<(d0) -> (d0)>
func.func @alias(%a: index) {
  // expected-error@+1 {{undefined symbol alias id 'mop'; did you mean '#map'?}}
  %0 = affine.apply #mop(%a)
  return
}

// -----

func.func @enclosed(%c: i1) {
  // expected-error@below {{'%x' does not dominate this use: a region of the same operation defines it}}
  scf.if %x {
    %x = arith.constant true
  }
  return
}
