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
