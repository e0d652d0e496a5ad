// RUN: headrace-opt %s --split-input-file --verify-diagnostics

func.func @keys(%a: index) {
  %s = symbol.create_symbol {SymbolId = -4 : i64} : index
  // expected-error @+1 {{All keys expected to be constant operations}}
  %m = symbol.symbol_immutable_mapping([%a -> %s]) : index
  return
}

// -----

func.func @loop(%a: index) {
  %c0 = arith.constant 0 : index
  %s = symbol.create_symbol {SymbolId = -4 : i64} : index
  %m = symbol.symbol_immutable_mapping([%c0 -> %s]) : index
  // expected-error @+1 {{key's parentOp must be a ForOp.}}
  %q = symbol.query_map(map:%m, key:%a) : index
  return
}

// -----

func.func @map(%m: index) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{map's defOp must be symbol_immutable_mapping op.}}
  %q = symbol.query_map(map:%m, key:%c0) : index
  return
}

// -----

func.func @id(%a: index) {
  // expected-error @+1 {{'symbol.create_id' op attribute 'symbol_id' failed to satisfy constraint: 64-bit signed integer attribute}}
  symbol.create_id %a {symbol_id = -1 : i64} : index
  return
}
