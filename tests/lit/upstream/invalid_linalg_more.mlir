// RUN: %headrace-opt %s --split-input-file --verify-diagnostics

func.func @f(%c: tensor<4x4xf32>) {
  // expected-error @+1 {{expected 1 inputs for 'exp', but found 2}}
  %0 = linalg.elementwise <exp> ins(%c, %c : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %c: tensor<4x4xf32>) {
  // expected-error @+1 {{'linalg.contract' op inferred input/output operand #1 has shape's dimension #0 to be 8, but found 4}}
  %2 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>] ins(%a, %c : tensor<4x8xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%c: tensor<4x4xf32>) {
  // expected-error @+1 {{provided affine_map is not a projected permutation}}
  %2 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>] ins(%c, %c : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%c: tensor<4x4xf32>) {
  // expected-error @+1 {{incorrect dimension specified}}
  %3 = linalg.softmax dimension(2) ins(%c : tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%s: tensor<128x256xf32>, %d: tensor<16x4x8x32xf32>) {
  // expected-error @+1 {{'linalg.pack' op expected 'tensor<16x8x8x32xf32>' for the packed domain value, got 'tensor<16x4x8x32xf32>'}}
  %4 = linalg.pack %s inner_dims_pos = [0, 1] inner_tiles = [8, 32] into %d : tensor<128x256xf32> -> tensor<16x4x8x32xf32>
  return
}

// -----

func.func @f(%s: tensor<128x256xf32>, %d: tensor<16x8x8x32xf32>) {
  // expected-error @+1 {{'linalg.unpack' op invalid zero tile factor}}
  %4 = linalg.unpack %d inner_dims_pos = [0, 1] inner_tiles = [0, 32] into %s : tensor<16x8x8x32xf32> -> tensor<128x256xf32>
  return
}
