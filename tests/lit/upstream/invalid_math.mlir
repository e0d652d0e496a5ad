// Refused operations of math; an independent MLIR refuses each of them too.
// RUN: %headrace-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

func.func @f(%a: i32) {
  // expected-error @+1 {{'math.exp' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = math.exp %a : i32
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'math.exp' op requires the same type for all operands and results, but has 'f32', 'f16'}}
  %0 = "math.exp"(%x) : (f32) -> f16
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'math.absi' op has the unexpected type f32}}
  %0 = math.absi %x : f32
  return
}

// -----

func.func @f(%x: f32, %d: f64) {
  // expected-error @+1 {{use of value '%d' expects different type than prior uses: 'f32' vs 'f64'}}
  %0 = math.powf %x, %d : f32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'math.fma' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = math.fma %a, %a, %a : i32
  return
}

// -----

func.func @f(%x: f32, %y: f32) {
  // expected-error @+1 {{'math.fpowi' op has the unexpected type f32}}
  %0 = math.fpowi %x, %y : f32, f32
  return
}

// -----

func.func @f(%x: f32, %y: f32) {
  // expected-error @+1 {{'math.ipowi' op has the unexpected type f32}}
  %0 = math.ipowi %x, %y : f32
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'math.ctpop' op has the unexpected type f32}}
  %0 = math.ctpop %x : f32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'math.isfinite' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = math.isfinite %a : i32
  return
}

// -----

func.func @f(%a: i32, %b: i32) {
  // expected-error @+1 {{'math.atan2' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = math.atan2 %a, %b : i32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'math.trunc' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = math.trunc %a : i32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'math.cbrt' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = math.cbrt %a : i32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'math.absf' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = math.absf %a : i32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'math.acos' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = math.acos %a : i32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'math.acosh' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = math.acosh %a : i32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'math.asin' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = math.asin %a : i32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'math.asinh' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = math.asinh %a : i32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'math.atan' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = math.atan %a : i32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'math.atanh' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = math.atanh %a : i32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'math.cbrt' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = math.cbrt %a : i32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'math.ceil' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = math.ceil %a : i32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'math.cos' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = math.cos %a : i32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'math.cosh' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = math.cosh %a : i32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'math.erf' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = math.erf %a : i32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'math.exp' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = math.exp %a : i32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'math.exp2' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = math.exp2 %a : i32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'math.expm1' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = math.expm1 %a : i32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'math.floor' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = math.floor %a : i32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'math.log' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = math.log %a : i32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'math.log10' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = math.log10 %a : i32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'math.log1p' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = math.log1p %a : i32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'math.log2' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = math.log2 %a : i32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'math.round' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = math.round %a : i32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'math.roundeven' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = math.roundeven %a : i32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'math.rsqrt' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = math.rsqrt %a : i32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'math.sin' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = math.sin %a : i32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'math.sinh' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = math.sinh %a : i32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'math.sqrt' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = math.sqrt %a : i32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'math.tan' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = math.tan %a : i32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'math.tanh' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = math.tanh %a : i32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'math.trunc' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = math.trunc %a : i32
  return
}

// -----

func.func @f(%t: tensor<4xf32>) {
  // expected-error @+1 {{expected ':'}}
  %0 = math.isnan %t fastmath<nnan> : tensor<4xf32>
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'math.isnan' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = math.isnan %a : i32
  return
}

// -----

func.func @f(%t: tensor<4xf32>) {
  // expected-error @+1 {{expected ':'}}
  %0 = math.isinf %t fastmath<nnan> : tensor<4xf32>
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'math.isinf' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = math.isinf %a : i32
  return
}

// -----

func.func @f(%t: tensor<4xf32>) {
  // expected-error @+1 {{expected ':'}}
  %0 = math.isfinite %t fastmath<nnan> : tensor<4xf32>
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'math.isfinite' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = math.isfinite %a : i32
  return
}

// -----

func.func @f(%t: tensor<4xf32>) {
  // expected-error @+1 {{expected ':'}}
  %0 = math.isnormal %t fastmath<nnan> : tensor<4xf32>
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'math.isnormal' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = math.isnormal %a : i32
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'math.absi' op has the unexpected type f32}}
  %0 = math.absi %x : f32
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'math.ctlz' op has the unexpected type f32}}
  %0 = math.ctlz %x : f32
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'math.cttz' op has the unexpected type f32}}
  %0 = math.cttz %x : f32
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'math.ctpop' op has the unexpected type f32}}
  %0 = math.ctpop %x : f32
  return
}

// -----

func.func @f(%a: i32, %b: i32) {
  // expected-error @+1 {{'math.atan2' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = math.atan2 %a, %b : i32
  return
}

// -----

func.func @f(%a: i32, %b: i32) {
  // expected-error @+1 {{'math.copysign' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = math.copysign %a, %b : i32
  return
}

// -----

func.func @f(%a: i32, %b: i32) {
  // expected-error @+1 {{'math.powf' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = math.powf %a, %b : i32
  return
}

// -----

func.func @f(%a: i32, %b: i32) {
  // expected-error @+1 {{'math.clampf' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = math.clampf %a to [%a, %b] : i32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'math.sincos' op operand #0 must be floating-point-like, but got 'i32'}}
  %0:2 = math.sincos %a : i32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'math.fma' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = math.fma %a, %a, %a : i32
  return
}

// -----

func.func @f(%a: i32, %b: i32) {
  // expected-error @+1 {{'math.fpowi' op has the unexpected type i32}}
  %0 = math.fpowi %a, %b : i32, i32
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'math.ipowi' op has the unexpected type f32}}
  %0 = math.ipowi %x, %x : f32
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{'math.erfc' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = math.erfc %i : i32
  return
}
