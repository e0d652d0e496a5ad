// RUN: headrace-opt %s --split-input-file --verify-diagnostics

func.func @keys(%k: index) {
  %a = dataflow.get_unit {name = "C0-sfu", type = "sfu"} : index
  %c = arith.constant 1 : index
  // expected-error @+1 {{All Keys are not of same type}}
  %m = uniform.def_immutable_mapping([%a -> %a], [%c -> %a]):index
  return
}

// -----

func.func @scalars() {
  %a = dataflow.get_unit {name = "C0-sfu", type = "sfu"} : index
  %b = dataflow.get_unit {name = "C1-sfu", type = "sfu"} : index
  %s = symbol.create_symbol {SymbolId = -4 : i64} : index
  // expected-error @+1 {{All map values are expected to be scalar values.}}
  %m = uniform.def_immutable_mapping([%a -> %s], [%b -> %a]):index
  return
}

// -----

func.func @values() {
  %a = dataflow.get_unit {name = "C0-sfu", type = "sfu"} : index
  %b = dataflow.get_unit {name = "C1-sfu", type = "sfu"} : index
  %c = arith.constant 1 : index
  // expected-error @+1 {{All map values should be of same type.}}
  %m = uniform.def_immutable_mapping([%a -> %b], [%b -> %c]):index
  return
}

// -----

func.func @twice() {
  %a = dataflow.get_unit {name = "C0-sfu", type = "sfu"} : index
  // expected-error @+1 {{duplicated unit SSAs found!}}
  uniform.uniformize_regions {
    (%i -> %a) { uniform.yield }
    (%j -> %a) { uniform.yield }
  }
  return
}

// -----

func.func @sequence() {
  %a = dataflow.get_unit {name = "C0-sfu", type = "sfu"} : index
  %b = dataflow.get_unit {name = "C1-sfu", type = "sfu"} : index
  // expected-error @+1 {{regions have different operation size.}}
  uniform.equalize_pattern {
    (%i -> %a) {
      %c = arith.constant 1 : index
      uniform.yield
    }
    (%j -> %b) { uniform.yield }
  }
  return
}

// -----

func.func @unit_of_another_type() {
  %a = dataflow.get_unit {name = "C0-sfu", type = "sfu"} : index
  // expected-error @+1 {{'uniform.uniformize_regions' op each region takes one argument of type index, its unit}}
  "uniform.uniformize_regions"(%a) <{list_sizes = array<i32: 1>}> ({
  ^bb0(%i: f32):
    "uniform.yield"() : () -> ()
  }) : (index) -> ()
  return
}
