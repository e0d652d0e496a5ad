// Forms that real files contain although MLIR refuses them.
// RUN: %headrace-opt %s --split-input-file --verify-diagnostics | %filecheck %s
// RUN: not %headrace-opt %s --split-input-file --strict 2>&1 | %filecheck %s --check-prefix=STRICT

// CHECK: arith.select %arg0, %arg1, %arg1 : tensor<4xi1>, tensor<4xf16>
// STRICT: error: a condition that is not i1
func.func @select(%c: tensor<4xi1>, %x: tensor<4xf16>) -> tensor<4xf16> {
  // expected-warning@+1 {{a condition that is not i1 has to be given as 'condition type, result type'}}
  %0 = arith.select %c, %x, %x : tensor<4xf16>
  return %0 : tensor<4xf16>
}

// -----

// CHECK: tensor.expand_shape %arg0 {{.*}} output_shape [1, 8, 4] : tensor<32xf32> into tensor<1x8x4xf32>
// STRICT: error: tensor.expand_shape without 'output_shape'
func.func @expand(%x: tensor<32xf32>) {
  // expected-warning@+1 {{tensor.expand_shape without 'output_shape'}}
  %0 = tensor.expand_shape %x [[0, 1, 2]] : tensor<32xf32> into tensor<1x8x4xf32>
  return
}

// -----

// CHECK: arith.maximumf
// STRICT: error: 'arith.maxf' is now called 'arith.maximumf'
func.func @old(%x: f32) {
  // expected-warning@+1 {{'arith.maxf' is now called 'arith.maximumf'}}
  %0 = arith.maxf %x, %x : f32
  return
}

// -----

// CHECK: func.func @declared(index)
// STRICT: error: symbol declaration cannot have public visibility
// expected-warning@+1 {{symbol declaration cannot have public visibility}}
func.func @declared(index)
