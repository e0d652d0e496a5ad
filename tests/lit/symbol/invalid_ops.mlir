// Each operation of symbol with something wrong about it.
// RUN: %headrace-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

func.func @f() {
  // expected-error @+1 {{'symbol.create_symbol' op result #0 must be index, but got 'i32'}}
  %r = symbol.create_symbol {SymbolId = -4 : i64} : i32
  return
}

// -----

func.func @f(%u: index) {
  // expected-error @+1 {{'symbol.create_id' op requires attribute 'symbol_id'}}
  symbol.create_id %u : index
  return
}

// -----

func.func @f(%u: index) {
  // expected-error @+1 {{'symbol.create_id' op attribute 'symbol_id' failed to satisfy constraint: 64-bit signed integer attribute}}
  symbol.create_id %u {symbol_id = -1 : i64} : index
  return
}
