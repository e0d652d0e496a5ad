// RUN: headrace-opt %s --split-input-file --verify-diagnostics

func.func @shapes(%a: vector<64xf16>, %x: f16) {
  // expected-error @+1 {{operands and results must be all scalars, or all vectors of one shape}}
  %0 = headrace.compute %a, %x {op = "arith.addf"} : (vector<64xf16>, f16) -> vector<64xf16>
  return
}

// -----

func.func @repeat(%i: index) {
  // expected-error @+1 {{'repeat' must be at least 1, but is 0}}
  %0 = headrace.iota %i {repeat = 0 : i64} : vector<64xindex>
  return
}
