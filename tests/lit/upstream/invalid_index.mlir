// RUN: %headrace-opt %s --split-input-file --verify-diagnostics

func.func @f(%a: index, %b: i32) {
  // expected-error @+1 {{'index.add' op operand #1 must be index, but got 'i32'}}
  %r = "index.add"(%a, %b) : (index, i32) -> index
  return
}

// -----

func.func @f(%a: index, %b: i32) {
  // expected-error @+1 {{'index.sub' op operand #1 must be index, but got 'i32'}}
  %r = "index.sub"(%a, %b) : (index, i32) -> index
  return
}

// -----

func.func @f(%a: index, %b: i32) {
  // expected-error @+1 {{'index.mul' op operand #1 must be index, but got 'i32'}}
  %r = "index.mul"(%a, %b) : (index, i32) -> index
  return
}

// -----

func.func @f(%a: index, %b: i32) {
  // expected-error @+1 {{'index.divs' op operand #1 must be index, but got 'i32'}}
  %r = "index.divs"(%a, %b) : (index, i32) -> index
  return
}

// -----

func.func @f(%a: index, %b: i32) {
  // expected-error @+1 {{'index.divu' op operand #1 must be index, but got 'i32'}}
  %r = "index.divu"(%a, %b) : (index, i32) -> index
  return
}

// -----

func.func @f(%a: index, %b: i32) {
  // expected-error @+1 {{'index.ceildivs' op operand #1 must be index, but got 'i32'}}
  %r = "index.ceildivs"(%a, %b) : (index, i32) -> index
  return
}

// -----

func.func @f(%a: index, %b: i32) {
  // expected-error @+1 {{'index.ceildivu' op operand #1 must be index, but got 'i32'}}
  %r = "index.ceildivu"(%a, %b) : (index, i32) -> index
  return
}

// -----

func.func @f(%a: index, %b: i32) {
  // expected-error @+1 {{'index.floordivs' op operand #1 must be index, but got 'i32'}}
  %r = "index.floordivs"(%a, %b) : (index, i32) -> index
  return
}

// -----

func.func @f(%a: index, %b: i32) {
  // expected-error @+1 {{'index.rems' op operand #1 must be index, but got 'i32'}}
  %r = "index.rems"(%a, %b) : (index, i32) -> index
  return
}

// -----

func.func @f(%a: index, %b: i32) {
  // expected-error @+1 {{'index.remu' op operand #1 must be index, but got 'i32'}}
  %r = "index.remu"(%a, %b) : (index, i32) -> index
  return
}

// -----

func.func @f(%a: index, %b: i32) {
  // expected-error @+1 {{'index.maxs' op operand #1 must be index, but got 'i32'}}
  %r = "index.maxs"(%a, %b) : (index, i32) -> index
  return
}

// -----

func.func @f(%a: index, %b: i32) {
  // expected-error @+1 {{'index.maxu' op operand #1 must be index, but got 'i32'}}
  %r = "index.maxu"(%a, %b) : (index, i32) -> index
  return
}

// -----

func.func @f(%a: index, %b: i32) {
  // expected-error @+1 {{'index.mins' op operand #1 must be index, but got 'i32'}}
  %r = "index.mins"(%a, %b) : (index, i32) -> index
  return
}

// -----

func.func @f(%a: index, %b: i32) {
  // expected-error @+1 {{'index.minu' op operand #1 must be index, but got 'i32'}}
  %r = "index.minu"(%a, %b) : (index, i32) -> index
  return
}

// -----

func.func @f(%a: index, %b: i32) {
  // expected-error @+1 {{'index.shl' op operand #1 must be index, but got 'i32'}}
  %r = "index.shl"(%a, %b) : (index, i32) -> index
  return
}

// -----

func.func @f(%a: index, %b: i32) {
  // expected-error @+1 {{'index.shrs' op operand #1 must be index, but got 'i32'}}
  %r = "index.shrs"(%a, %b) : (index, i32) -> index
  return
}

// -----

func.func @f(%a: index, %b: i32) {
  // expected-error @+1 {{'index.shru' op operand #1 must be index, but got 'i32'}}
  %r = "index.shru"(%a, %b) : (index, i32) -> index
  return
}

// -----

func.func @f(%a: index, %b: i32) {
  // expected-error @+1 {{'index.and' op operand #1 must be index, but got 'i32'}}
  %r = "index.and"(%a, %b) : (index, i32) -> index
  return
}

// -----

func.func @f(%a: index, %b: i32) {
  // expected-error @+1 {{'index.or' op operand #1 must be index, but got 'i32'}}
  %r = "index.or"(%a, %b) : (index, i32) -> index
  return
}

// -----

func.func @f(%a: index, %b: i32) {
  // expected-error @+1 {{'index.xor' op operand #1 must be index, but got 'i32'}}
  %r = "index.xor"(%a, %b) : (index, i32) -> index
  return
}

// -----

func.func @f(%a: index) {
  // expected-error @+1 {{'index.cmp' op requires attribute 'pred'}}
  %r = "index.cmp"(%a, %a) : (index, index) -> i1
  return
}

// -----

func.func @f(%a: index) {
  // expected-error @+1 {{'index.casts' op operand type 'index' and result type 'index' are cast incompatible}}
  %r = index.casts %a : index to index
  return
}

// -----

func.func @f(%a: f32) {
  // expected-error @+1 {{'index.castu' op operand type 'f32' and result type 'index' are cast incompatible}}
  %r = index.castu %a : f32 to index
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'index.sizeof' op result #0 must be index, but got 'i32'}}
  %r = "index.sizeof"() : () -> i32
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'index.constant' op attribute 'value' failed to satisfy constraint: index attribute}}
  %r = "index.constant"() <{value = 1 : i32}> : () -> index
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'index.bool.constant' op attribute 'value' failed to satisfy constraint: bool attribute}}
  %r = "index.bool.constant"() <{value = 1 : i32}> : () -> i1
  return
}
