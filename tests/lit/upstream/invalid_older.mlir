// What older names refuse, as the operations that took their place do.
// RUN: %headrace-opt %s --split-input-file --verify-diagnostics

func.func @f(%a: tensor<2x4x3xf32>, %b: tensor<2x5x5xf32>, %c: tensor<2x3x5xf32>) -> tensor<2x3x5xf32> {
  // expected-error @+1 {{'linalg.batch_matmul_transpose_a' op inferred input/output operand #1 has shape's dimension #1 to be 4, but found 5}}
  %0 = linalg.batch_matmul_transpose_a ins(%a, %b : tensor<2x4x3xf32>, tensor<2x5x5xf32>) outs(%c : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  return %0 : tensor<2x3x5xf32>
}

// -----

func.func @f(%a: tensor<2x3x4xf32>, %b: tensor<2x5x6xf32>, %c: tensor<2x3x5xf32>) -> tensor<2x3x5xf32> {
  // expected-error @+1 {{'linalg.batch_matmul_transpose_b' op inferred input/output operand #1 has shape's dimension #2 to be 4, but found 6}}
  %0 = linalg.batch_matmul_transpose_b ins(%a, %b : tensor<2x3x4xf32>, tensor<2x5x6xf32>) outs(%c : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  return %0 : tensor<2x3x5xf32>
}

// -----

func.func @f(%a: tensor<4x3xf32>, %b: tensor<5x5xf32>, %c: tensor<3x5xf32>) -> tensor<3x5xf32> {
  // expected-error @+1 {{'linalg.matmul_transpose_a' op inferred input/output operand #1 has shape's dimension #0 to be 4, but found 5}}
  %0 = linalg.matmul_transpose_a ins(%a, %b : tensor<4x3xf32>, tensor<5x5xf32>) outs(%c : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// -----

func.func @f(%a: tensor<3x4xf32>, %b: tensor<5x6xf32>, %c: tensor<3x5xf32>) -> tensor<3x5xf32> {
  // expected-error @+1 {{'linalg.matmul_transpose_b' op inferred input/output operand #1 has shape's dimension #1 to be 4, but found 6}}
  %0 = linalg.matmul_transpose_b ins(%a, %b : tensor<3x4xf32>, tensor<5x6xf32>) outs(%c : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// -----

func.func @f(%a: tensor<4xf32>, %b: tensor<5xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'linalg.elemwise_binary' op input #1 has shape 5, but the output has 4}}
  %0 = linalg.elemwise_binary ins(%a, %b : tensor<4xf32>, tensor<5xf32>) outs(%c : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @f(%a: f64, %s: i32, %c: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'linalg.fill_rng_2d' op expected operand rank (1) to match the result rank of indexing_map #3 (2)}}
  %0 = linalg.fill_rng_2d ins(%a, %a, %s : f64, f64, i32) outs(%c : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error @+1 {{'bufferization.to_memref' op 'memref<4xf16>' does not hold a 'tensor<4xf32>'}}
  %0 = bufferization.to_memref %a : tensor<4xf32> to memref<4xf16>
  return
}

// -----

func.func @f(%a: i32, %v: vector<4xf32>, %i: index) {
  // expected-error @+1 {{'vector.insertelement' op failed to verify that source operand type matches element type of result}}
  %0 = "vector.insertelement"(%a, %v, %i) : (i32, vector<4xf32>, index) -> vector<4xf32>
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'vector.splat' op operand #0 must be of the result's element type 'f32', but got 'i32'}}
  %0 = "vector.splat"(%a) : (i32) -> vector<4xf32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'vector.vscale' op result #0 must be index, but got 'i32'}}
  %0 = "vector.vscale"() : () -> i32
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error @+1 {{'add' takes 2 numbers, not 1}}
  %0 = linalg.elemwise_unary {fun = #linalg.unary_fn<add>} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  return
}
