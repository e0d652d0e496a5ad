// RUN: headrace-opt %s --split-input-file --verify-diagnostics

func.func @cast(%a: vector<64xf16>) {
  // expected-error @+1 {{result size does not match input size}}
  %0 = vectorchain.cast %a : vector<64xf16>, vector<32xf32>
  return
}

// -----

func.func @scale(%a: vector<1xf16>) {
  // expected-error @+1 {{result does not scale with indices and repetitions}}
  %0 = vectorchain.shuffle input(%a) {indices = [0 : i32], repetition = 32 : i32} : vector<1xf16>, vector<64xf16>
  return
}

// -----

func.func @element(%a: vector<1xf16>) {
  // expected-error @+1 {{input element type does not match output element type}}
  %0 = vectorchain.shuffle input(%a) {indices = [0 : i32], repetition = 64 : i32} : vector<1xf16>, vector<64xf32>
  return
}

// -----

func.func @bounds(%a: vector<1xf16>) {
  // expected-error @+1 {{out of bounds indices element}}
  %0 = vectorchain.shuffle input(%a) {indices = [-1 : i32], repetition = 64 : i32} : vector<1xf16>, vector<64xf16>
  return
}

// -----

func.func @bits() {
  // expected-error @+1 {{is no 16-bit pattern}}
  %0 = vectorchain.constant_bitstream {value = [0x10000]} : vector<1xf16>
  return
}

// -----

func.func @mask(%a: vector<64xf16>) {
  // expected-error @+1 {{mask must be a 1-D vector of i1}}
  %0 = vectorchain.neg %a [%a : vector<64xf16>] : vector<64xf16>, vector<64xf16>
  return
}
