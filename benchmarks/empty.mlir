// A kernel with four symbols whose unit has nothing to do: what a launch costs by itself.
module {
  module {
    func.func @empty(%a: index, %b: index, %c: index, %d: index) attributes {grid = [1]} {
      call @p(%a, %b, %c, %d) : (index, index, index, index) -> ()
      return
    }
    func.func private @p(index, index, index, index)
  }
  module @p {
    func.func private @p_body()
    func.func @p(%a: index, %b: index, %c: index, %d: index) {
      symbol.create_id %a {symbol_id = -1 : si64} : index
      symbol.create_id %b {symbol_id = -2 : si64} : index
      symbol.create_id %c {symbol_id = -3 : si64} : index
      symbol.create_id %d {symbol_id = -4 : si64} : index
      call @p_body() : () -> ()
      return
    }
    module {
      func.func @p_body() attributes {grid = [1]} {
        %one = arith.constant 1 : index
        %a = symbol.create_symbol {SymbolId = -1 : i64} : index
        %b = symbol.create_symbol {SymbolId = -2 : i64} : index
        %c = symbol.create_symbol {SymbolId = -3 : i64} : index
        %d = symbol.create_symbol {SymbolId = -4 : i64} : index
        %sf0 = dataflow.get_unit {core = 0 : i32, corelet = 0 : i32, name = "C0-sfu", type = "sfu"} : index
        dataflow.program_unit iter_arg : %u -> (%sf0) : {
          scf.for %i = %a to %b step %one {
          }
          scf.for %j = %c to %d step %one {
          }
        }
        return
      }
    }
  }
}
