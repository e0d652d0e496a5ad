// Each operation of vectorchain with something wrong about it.
// RUN: %headrace-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

func.func @f(%v: vector<64xf16>, %w: vector<64xf16>) {
  // expected-error @+1 {{'vectorchain.binary' op requires attribute 'op_specific_map'}}
  %r = vectorchain.binary %v, %w {binary_op = #vectorchain<binary_operator mul>} : vector<64xf16>, vector<64xf16>, vector<64xf16>
  return
}

// -----

func.func @f(%v: vector<64xf16>, %x: f32) {
  // expected-error @+1 {{'vectorchain.binary' op operand #1 must be vector of any type values or custom_vector, but got 'f32'}}
  %r = vectorchain.binary %v, %x {binary_op = #vectorchain<binary_operator mul>, op_specific_map = affine_map<(d0) -> (d0)>} : vector<64xf16>, f32, vector<64xf16>
  return
}

// -----

func.func @f(%v: vector<64xf16>, %w: vector<64xf16>) {
  // expected-error @+1 {{expected `and0`, `or0`, `xnor`, `and_not`, `min`, `max`, `abs_min`, `abs_max`, `add`, `mul`, `sub`, or `mul_div2`.}}
  %r = vectorchain.binary %v, %w {binary_op = #vectorchain<binary_operator times>, op_specific_map = affine_map<(d0) -> (d0)>} : vector<64xf16>, vector<64xf16>, vector<64xf16>
  return
}

// -----

func.func @f(%v: vector<64xf16>, %w: vector<64xf16>) {
  // expected-error @+1 {{'vectorchain.multiply' op requires attribute 'reduction_map'}}
  %r = vectorchain.multiply %v, %w : vector<64xf16>, vector<64xf16>, vector<64xf16>
  return
}

// -----

func.func @f(%v: vector<64xf16>, %w: vector<64xf16>, %x: f32) {
  // expected-error @+1 {{'vectorchain.multiply_and_accumulate' op operand #2 must be vector of any type values or custom_vector, but got 'f32'}}
  %r = vectorchain.multiply_and_accumulate %v, %w, %x {reduction_map = affine_map<(d0) -> (d0)>} : vector<64xf16>, vector<64xf16>, f32, vector<64xf16>
  return
}

// -----

func.func @f(%v: vector<64xf16>, %w: vector<64xf16>) {
  // expected-error @+1 {{'vectorchain.element_wise_compare' op requires attribute 'compare_op'}}
  %r = vectorchain.element_wise_compare %v, %w : vector<64xf16>, vector<64xf16>, vector<64xf16>
  return
}

// -----

func.func @f(%v: vector<64xf16>, %w: vector<64xf16>) {
  // expected-error @+1 {{expected `compare_eq`, `compare_neq`, `compare_lt`, `compare_le`, `compare_gt`, or `compare_ge`.}}
  %r = vectorchain.element_wise_compare %v, %w {compare_op = #vectorchain<element_wise_compare_operator compare_xx>} : vector<64xf16>, vector<64xf16>, vector<64xf16>
  return
}

// -----

func.func @f(%v: vector<64xf16>, %w: vector<64xf16>) {
  // expected-error @+1 {{'vectorchain.element_wise_compare' op mask must be a 1-D vector of i1, but is vector<64xf16>}}
  %r = vectorchain.element_wise_compare %v, %w [%v : vector<64xf16>] {compare_op = #vectorchain<element_wise_compare_operator compare_eq>} : vector<64xf16>, vector<64xf16>, vector<64xf16>
  return
}

// -----

func.func @f(%v: vector<64xf16>, %c: vector<64xi1>, %x: f32) {
  // expected-error @+1 {{'vectorchain.element_wise_selection' op operand #2 must be vector of any type values or custom_vector, but got 'f32'}}
  %r = vectorchain.element_wise_selection %c ? %v : %x : vector<64xi1>, vector<64xf16>, f32, vector<64xf16>
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'vectorchain.neg' op operand #0 must be vector of any type values or custom_vector, but got 'f32'}}
  %r = vectorchain.neg %x : f32, f32
  return
}

// -----

func.func @f(%v: vector<64xf16>) {
  // expected-error @+1 {{'vectorchain.neg' op mask must be a 1-D vector of i1, but is vector<64xf16>}}
  %r = vectorchain.neg %v [%v : vector<64xf16>] : vector<64xf16>, vector<64xf16>
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'vectorchain.floor' op operand #0 must be vector of any type values or custom_vector, but got 'f32'}}
  %r = vectorchain.floor %x : f32, f32
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'vectorchain.fast_exp' op operand #0 must be vector of any type values or custom_vector, but got 'f32'}}
  %r = vectorchain.fast_exp %x : f32, f32
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'vectorchain.rec_estimate' op operand #0 must be vector of any type values or custom_vector, but got 'f32'}}
  %r = vectorchain.rec_estimate %x : f32, f32
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'vectorchain.ln_estimate' op operand #0 must be vector of any type values or custom_vector, but got 'f32'}}
  %r = vectorchain.ln_estimate %x : f32, f32
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'vectorchain.rsqrt_estimate' op operand #0 must be vector of any type values or custom_vector, but got 'f32'}}
  %r = vectorchain.rsqrt_estimate %x : f32, f32
  return
}

// -----

func.func @f(%v: vector<64xf16>) {
  // expected-error @+1 {{'vectorchain.exp_estimate' op requires attribute 'version'}}
  %r = vectorchain.exp_estimate %v : vector<64xf16>, vector<64xf16>
  return
}

// -----

func.func @f(%v: vector<64xf16>) {
  // expected-error @+1 {{expected `a`, or `b`.}}
  %r = vectorchain.exp_estimate %v {version = #vectorchain<exp_estimate c>} : vector<64xf16>, vector<64xf16>
  return
}

// -----

func.func @f(%v: vector<64xf16>) {
  // expected-error @+1 {{'vectorchain.sigmoid_estimate' op requires attribute 'version'}}
  %r = vectorchain.sigmoid_estimate %v : vector<64xf16>, vector<64xf16>
  return
}

// -----

func.func @f(%v: vector<64xf16>) {
  // expected-error @+1 {{'vectorchain.tanh_estimate' op attribute 'version' failed to satisfy constraint: estimate_versions}}
  %r = vectorchain.tanh_estimate %v {version = #vectorchain<exp_estimate a>} : vector<64xf16>, vector<64xf16>
  return
}

// -----

func.func @f(%v: vector<64xf16>) {
  // expected-error @+1 {{'vectorchain.cast' op result size does not match input size}}
  %r = vectorchain.cast %v : vector<64xf16>, vector<32xf32>
  return
}

// -----

func.func @f(%v: vector<64xf16>) {
  // expected-error @+1 {{'vectorchain.select' op requires attribute 'selection_map'}}
  %r = vectorchain.select %v : vector<64xf16>, vector<64xf16>
  return
}

// -----

func.func @f(%v: vector<64xf16>, %w: vector<64xf16>) {
  // expected-error @+1 {{'vectorchain.merge' op requires attribute 'iteration_space_CA'}}
  %r = vectorchain.merge %v, %w : vector<64xf16>, vector<64xf16>, vector<64xf16>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'vectorchain.create_affine_mask' op requires attribute 'mask_set'}}
  %r = vectorchain.create_affine_mask : vector<64xi1>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'vectorchain.create_affine_mask' op mask must be a 1-D vector of i1, but is vector<64xf16>}}
  %r = vectorchain.create_affine_mask {mask_set = affine_set<(d0) : (d0 >= 0)>} : vector<64xf16>
  return
}

// -----

func.func @f(%v: vector<64xf16>, %w: vector<64xf16>) {
  // expected-error @+1 {{'vectorchain.pack' op requires attribute 'indices'}}
  %r = vectorchain.pack %v, %w : vector<64xf16>, vector<64xf16>, vector<64xf16>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'vectorchain.constant_bitstream' op expected 1 values, but got 2}}
  %r = vectorchain.constant_bitstream {value = [0x1, 0x2]} : vector<1xf16>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'vectorchain.constant_bitstream' op value -1 : i64 is no 16-bit pattern}}
  %r = vectorchain.constant_bitstream {value = [-1]} : vector<1xf16>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'vectorchain.constant_bitstream' op value 74565 : i64 is no 16-bit pattern}}
  %r = vectorchain.constant_bitstream {value = [0x12345]} : vector<1xf16>
  return
}

// -----

func.func @f(%v: vector<64xf16>) {
  // expected-error @+1 {{'vectorchain.shuffle' op result does not scale with indices and repetitions}}
  %r = vectorchain.shuffle input(%v) {indices = [0 : i32], repetition = 32 : i32} : vector<64xf16>, vector<64xf16>
  return
}

// -----

func.func @f(%v: vector<64xf16>) {
  // expected-error @+1 {{'vectorchain.shuffle' op out of bounds indices element}}
  %r = vectorchain.shuffle input(%v) {indices = [64 : i32], repetition = 64 : i32} : vector<64xf16>, vector<64xf16>
  return
}

// -----

func.func @f(%v: vector<64xf16>) {
  // expected-error @+1 {{'vectorchain.shuffle' op indices element is not integer}}
  %r = vectorchain.shuffle input(%v) {indices = [0.0 : f32], repetition = 64 : i32} : vector<64xf16>, vector<64xf16>
  return
}

// -----

func.func @f(%v: vector<64xf16>) {
  // expected-error @+1 {{'vectorchain.shuffle' op input element type does not match output element type}}
  %r = vectorchain.shuffle input(%v) {indices = [0 : i32], repetition = 64 : i32} : vector<64xf16>, vector<64xf32>
  return
}

// -----

func.func @f(%v: vector<64xf16>, %h: f16) {
  // expected-error @+1 {{clause 'pad' given twice}}
  %r = vectorchain.shuffle input(%v), pad(%h), pad(%h) {indices = [0 : i32], repetition = 64 : i32} : vector<64xf16>, f16, f16, vector<64xf16>
  return
}

// -----

func.func @f(%v: vector<64xf16>) {
  // expected-error @+1 {{'vectorchain.scan_with_gap' op requires attribute 'reduction_op'}}
  %r = vectorchain.scan_with_gap %v : vector<64xf16>, vector<64xf16>
  return
}

// -----

func.func @f(%v: vector<64xf16>, %i: i32) {
  // expected-error @+1 {{'vectorchain.rotate' op operand #1 must be index, but got 'i32'}}
  %r = vectorchain.rotate %v, %i : vector<64xf16>, i32, vector<64xf16>
  return
}

// -----

func.func @f(%v: vector<64xf16>, %u: index) {
  // expected-error @+1 {{'vectorchain.rotate' op attribute 'right_shift' failed to satisfy constraint: bool attribute}}
  %r = vectorchain.rotate %v, %u {right_shift = 3 : i32} : vector<64xf16>, index, vector<64xf16>
  return
}
