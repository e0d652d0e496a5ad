// RUN: headrace-opt %s --split-input-file --verify-diagnostics

func.func @first(%w: vector<64xf16>) {
  // expected-error @+1 {{'order' must be row or column, but is diagonal}}
  headrace.matrix_fill %w {at = 0 : i64, order = "diagonal"} : vector<64xf16>
  return
}

// -----

func.func @count(%w: vector<64xf16>) {
  // expected-error @+1 {{the operand does not hold 'count' whole columns}}
  headrace.matrix_fill %w {at = 0 : i64, count = 7 : i64, order = "column"} : vector<64xf16>
  return
}

// -----

func.func @rows(%x: vector<64xf16>, %r: index) {
  // expected-error @+1 {{the operand does not hold 'rows' whole rows}}
  headrace.matrix_multiply %x, %r {rows = 5 : i64} : vector<64xf16>
  return
}

// -----

func.func @none() {
  // expected-error @+1 {{'rows' must be at least 1, but is 0}}
  headrace.matrix_clear {rows = 0 : i64}
  return
}
