// RUN: headrace-opt %s | headrace-opt | filecheck %s
// RUN: %headrace-opt %s --mlir-print-op-generic | %headrace-opt | %filecheck %s

func.func @symbols(%a: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: symbol.create_id %{{.*}} {symbol_id = -1 : si64} : index
  symbol.create_id %a {symbol_id = -1 : si64} : index
  // CHECK: %[[S:.*]] = symbol.create_symbol {SymbolId = -4 : i64} : index
  %s = symbol.create_symbol {SymbolId = -4 : i64} : index
  %t = symbol.create_symbol {SymbolId = -5 : i64} : index
  // CHECK: %[[M:.*]] = symbol.symbol_immutable_mapping([%{{.*}} -> %[[S]]], [%{{.*}} -> %{{.*}}]) : index
  %m = symbol.symbol_immutable_mapping([%c0 -> %s], [%c1 -> %t]) : index
  scf.for %i = %c0 to %n step %c1 {
    // CHECK: symbol.query_map(map:%[[M]], key:%{{.*}}) : index
    %q = symbol.query_map(map:%m, key:%i) : index
  }
  return
}
