// RUN: %headrace-opt %s --split-input-file --verify-diagnostics

// S01
func.func @f(%x: f16) {
  // expected-error @+1 {{beta must not be 0}}
  %r = spyreop.softplus %x beta 0.0 threshold 1.0 : f16
  return
}

// -----

// S02
func.func @f(%x: i32) {
  // expected-error @+1 {{operand #0 must be one of f16, !spyreop.df16, f32, but is i32}}
  %r = spyreop.exp %x : i32
  return
}

// -----

// S02
func.func @f(%x: f32) {
  // expected-error @+1 {{operand #0 must be one of f16, !spyreop.df16, but is f32}}
  %r = spyreop.gelu %x : f32
  return
}

// -----

// S02
func.func @f(%x: i64) {
  // expected-error @+1 {{expects different type than prior uses: 'i32' vs 'i64'}}
  %r = spyreop.addi32toi32 %x, %x
  return
}

// -----

// S03
func.func @f(%x: f16) {
  // expected-error @+1 {{result of type f16 does not pair with operand type f16, expected !spyreop.fp16_fused}}
  %r = spyreop.exx2_fused %x : f16 -> f16
  return
}

// -----

// S03
func.func @f(%x: f16) {
  // expected-error @+1 {{result of type !spyreop.fp32_fused does not pair with operand type f16}}
  %r = spyreop.exx2_fused %x : f16 -> !spyreop.fp32_fused
  return
}

// -----

// S03
func.func @f(%x: f16) {
  // expected-error @+1 {{operand of type f16 does not pair with result type f16}}
  %r = spyreop.layernormscale_fused %x : f16 -> f16
  return
}

// -----

// S04
func.func @f() {
  // expected-error @+1 {{value must be a float of type f16 or f32}}
  %r = spyreop.constant 1 : i32
  return
}

// -----

// S04
func.func @f() {
  // expected-error @+1 {{value must be a float of type f16 or f32}}
  %r = spyreop.constant 1 : index
  return
}

// -----

// S04
func.func @f() {
  // expected-error @+1 {{value must be a float of type f16 or f32}}
  %r = spyreop.constant 1.0 : f64
  return
}

// -----

// S04
func.func @f() {
  // expected-error @+1 {{value must be a float of type f16 or f32}}
  %r = spyreop.constant 1.0 : bf16
  return
}

// -----

// S04
func.func @f() {
  // expected-error @+1 {{}}
  %r = "spyreop.constant"() : () -> f16
  return
}

// -----

// S04
func.func @f() {
  // expected-error @+1 {{type f32 of the value must match the result type f16}}
  %r = "spyreop.constant"() <{value = 1.0 : f32}> : () -> f16
  return
}

// -----

// S04
func.func @f() {
  // expected-error @+1 {{value must be a float of type f16 or f32}}
  %r = "spyreop.constant"() <{value = 1.0 : f32}> : () -> tensor<2xf32>
  return
}

// -----

// S05
func.func @f(%x: f16) {
  // expected-error @+1 {{}}
  %r = spyreop.compare <less> %x, %x : f16
  return
}

// -----

// S05
func.func @f(%x: tensor<64xf16>) {
  // expected-error @+1 {{}}
  %r = spyreop.slice_reduction %x {reduction_kind = #spyreop.reduction_kind<avg>, reduction_scope = #spyreop.reduction_scope<in_slice>} : tensor<64xf16> -> tensor<64xf16>
  return
}

// -----

// 
func.func @f(%x: tensor<64xf16>) {
  // expected-error @+1 {{operand and result must be ranked tensors of one type}}
  %r = spyreop.slice_reduction %x {reduction_kind = #spyreop.reduction_kind<add>, reduction_scope = #spyreop.reduction_scope<in_slice>} : tensor<64xf16> -> tensor<32xf16>
  return
}
