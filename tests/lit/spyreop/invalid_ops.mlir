// Each operation of spyreop with something wrong about it.
// RUN: %headrace-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

func.func @f(%i: i32, %l: i64) {
  // expected-error @+1 {{use of value '%i' expects different type than prior uses: 'i64' vs 'i32'}}
  %r = spyreop.addi64toi64 %i, %l
  return
}

// -----

func.func @f(%l: i64) {
  // expected-error @+1 {{'spyreop.addi32toi32' op operands and result must be i32, but got i64}}
  %r = "spyreop.addi32toi32"(%l, %l) : (i64, i64) -> i64
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{'spyreop.addi64toi64' op operands and result must be i64, but got i32}}
  %r = "spyreop.addi64toi64"(%i, %i) : (i32, i32) -> i32
  return
}

// -----

func.func @f(%l: i64) {
  // expected-error @+1 {{'spyreop.muli32toi32' op operands and result must be i32, but got i64}}
  %r = "spyreop.muli32toi32"(%l, %l) : (i64, i64) -> i64
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{'spyreop.exx2' op operand #0 must be one of f16, !spyreop.df16, f32, but is i32}}
  %r:2 = spyreop.exx2 %i : i32
  return
}

// -----

func.func @f(%h: f16) {
  // expected-error @+1 {{'spyreop.exx2_zeromean_fused' op result of type !spyreop.fp32_fused does not pair with operand type f16, expected !spyreop.fp16_fused}}
  %r = spyreop.exx2_zeromean_fused %h : f16 -> !spyreop.fp32_fused
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{'spyreop.exx2_fused' op operand #0 must be one of f16, !spyreop.df16, f32, but is i32}}
  %r = spyreop.exx2_fused %i : i32 -> !spyreop.fp32_fused
  return
}

// -----

func.func @f(%i: i32, %l: i64) {
  // expected-error @+1 {{use of value '%l' expects different type than prior uses: 'i32' vs 'i64'}}
  %r = spyreop.idx32toaddr %l base %i stride %i
  return
}

// -----

func.func @f(%i: i32, %l: i64) {
  // expected-error @+1 {{'spyreop.idx32toaddr' op operand count (3) does not match with the total size (0) specified in attribute 'operandSegmentSizes'}}
  %r = "spyreop.idx32toaddr"(%l, %i, %i) : (i64, i32, i32) -> i32
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{'spyreop.layernormnorm' op operand #0 must be one of f16, !spyreop.df16, f32, but is i32}}
  %r = spyreop.layernormnorm %i squares %i scale %i weight %i bias %i : i32
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{'spyreop.layernormscale' op operand #0 must be one of f16, !spyreop.df16, f32, but is i32}}
  %r = spyreop.layernormscale %i squares %i : i32
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{'spyreop.layernormscale' op operand #0 must be one of f16, !spyreop.df16, f32, but is i32}}
  %r = spyreop.layernormscale %i : i32
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{'spyreop.realdiv' op operand #0 must be one of f16, !spyreop.df16, f32, but is i32}}
  %r = spyreop.realdiv %i, %i : i32
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{'spyreop.reciprocal' op operand #0 must be one of f16, !spyreop.df16, f32, but is i32}}
  %r = spyreop.reciprocal %i : i32
  return
}

// -----

func.func @f(%t: tensor<4xf16>) {
  // expected-error @+1 {{'spyreop.rsqrt' op operand #0 must be one of f16, !spyreop.df16, f32, but is tensor<4xf16>}}
  %r = spyreop.rsqrt %t : tensor<4xf16>
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{'spyreop.select' op operand #0 must be one of f16, !spyreop.df16, f32, but is i32}}
  %r = spyreop.select %i, %i, %i : i32
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{'spyreop.sigmoid' op operand #0 must be one of f16, !spyreop.df16, f32, but is i32}}
  %r = spyreop.sigmoid %i : i32
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{'spyreop.silu' op operand #0 must be one of f16, !spyreop.df16, f32, but is i32}}
  %r = spyreop.silu %i : i32
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{'spyreop.sqrt' op operand #0 must be one of f16, !spyreop.df16, f32, but is i32}}
  %r = spyreop.sqrt %i : i32
  return
}

// -----

func.func @f(%l: i64) {
  // expected-error @+1 {{'spyreop.exp' op operand #0 must be one of f16, !spyreop.df16, f32, but is i64}}
  %r = spyreop.exp %l : i64
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'spyreop.gelu' op operand #0 must be one of f16, !spyreop.df16, but is f32}}
  %r = spyreop.gelu %x : f32
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{unknown predicate 'equals', expected one of equal, notequal, greaterthan, greaterequal, lesserthan, lesserequal}}
  %r = spyreop.compare equals %x, %x : f32
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{'spyreop.compare' op operand #0 must be one of f16, !spyreop.df16, f32, but is i32}}
  %r = spyreop.compare equal %i, %i : i32
  return
}

// -----

func.func @f(%x: f32, %h: f16) {
  // expected-error @+1 {{'spyreop.compare' op attribute 'predicate' failed to satisfy constraint: compare_predicate}}
  %r = "spyreop.compare"(%x, %h) <{predicate = 0 : i32}> : (f32, f16) -> f32
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{expected `equal`, `notequal`, `greaterthan`, `greaterequal`, `lesserthan`, or `lesserequal`.}}
  %r = spyreop.compare <equals> %x, %x : f32
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{'spyreop.compare' op operand #0 must be one of f16, !spyreop.df16, f32, but is i32}}
  %r = spyreop.compare <equal> %i, %i : i32
  return
}
