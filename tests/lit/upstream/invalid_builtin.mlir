// Refused operations of builtin; an independent MLIR refuses each of them too.
// RUN: %headrace-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

func.func @f(%a: i32) {
  builtin.unrealized_conversion_cast %a : i32 to
  // expected-error @+1 {{type expected}}
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{operation defines 0 results but was provided 1 to bind}}
  %0 = "builtin.unrealized_conversion_cast"() : () -> ()
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'builtin.module' op symbol's parent must have the SymbolTable trait}}
  builtin.module @x attributes {foo.y} { func.func @f() { return } }
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'builtin.module' op can only contain attributes with dialect-prefixed names, found: 'bar'}}
  builtin.module attributes {bar} { }
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'func.return' op has 0 operands, but enclosing function (@g) returns 1}}
  module { func.func @g() -> i32 { return } }
  return
}

// -----

// expected-note @+1 {{see existing symbol definition here}}
func.func @twice() {
  return
}
// expected-error @+1 {{redefinition of symbol named 'twice'}}
module @twice {
}

// -----

// expected-error @+1 {{invalid tensor element type: 'tensor<i8>'}}
func.func private @f(tensor<2xtensor<i8>>)

// -----

// expected-error @+1 {{invalid memref element type: 'tensor<i8>'}}
func.func private @f(memref<2xtensor<i8>>)

// -----

// expected-error @+1 {{unsupported memory space Attribute}}
func.func private @f(memref<4xf32, i8>)

// -----

// expected-error @+1 {{vector elements must be int/index/float type but got 'vector<4xf32>'}}
func.func private @f(vector<2xvector<4xf32>>)

// -----

// expected-error @+1 {{vector types must have positive constant sizes but got 0}}
func.func private @f(vector<4x0xf32>)

// -----

// expected-error @+1 {{expected the number of strides to match the rank}}
func.func private @f(memref<?x?xf32, strided<[1]>>)

// -----

// expected-error @+1 {{memref layout mismatch between rank and affine map: 1 != 2}}
func.func private @f(memref<4xf32, affine_map<(d0, d1) -> (d0)>>)

// -----

// expected-error @+1 {{integer bitwidth is limited to 16777215 bits}}
func.func private @f(i16777216)

// -----

// expected-error @+1 {{invalid dimension}}
func.func private @f(tensor<9223372036854775808xf32>)

// -----

// expected-error @+1 {{type names with a '.' are reserved for dialect-defined names}}
!some.name = i32

// -----

// expected-error @+1 {{attribute names with a '.' are reserved for dialect-defined names}}
#some.name = 1 : i32

// -----

// expected-error @+1 {{hexadecimal float literal should not have a leading minus}}
"some.op"() {a = -0x7fff : f16} : () -> ()

// -----

// expected-error @+1 {{hexadecimal float literal should not have a leading minus}}
"some.op"() {a = dense<-0x7fff> : tensor<2xf16>} : () -> ()

// -----

// expected-error @+1 {{element type bitwidth must be a multiple of 8}}
"some.op"() {a = array<i7: 1>} : () -> ()

// -----

// expected-error @+1 {{empty operation name is invalid}}
""() : () -> ()

// -----

// expected-error @+1 {{unregistered operation 'func.other' found in dialect ('func') that does not allow unknown operations}}
"func.other"() : () -> ()

// -----

// expected-error @+1 {{expected at least one result for cast operation}}
"builtin.unrealized_conversion_cast"() : () -> ()
