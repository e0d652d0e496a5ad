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

// -----

func.func @f(%a: tensor<2x3x4x5xf32>, %b: tensor<4x4x5x2xf32>) {
  // expected-error @+1 {{expect filter width either equals to r or 1}}
  %0 = linalg.winograd_filter_transform m(2) r(3) ins(%a : tensor<2x3x4x5xf32>) outs(%b : tensor<4x4x5x2xf32>) -> tensor<4x4x5x2xf32>
  return
}

// -----

func.func @f(%a: tensor<2x10x10x5xf32>, %b: tensor<4x4x4x5x2x5xf32>) {
  // expected-error @+1 {{the output shape is not expected}}
  %0 = linalg.winograd_input_transform m(2) r(3) ins(%a : tensor<2x10x10x5xf32>) outs(%b : tensor<4x4x4x5x2x5xf32>) -> tensor<4x4x4x5x2x5xf32>
  return
}

// -----

func.func @f(%a: tensor<5x4x2x3x7x2xf32>, %b: tensor<7x4x6x2xf32>) {
  // expected-error @+1 {{expect input height equals to input tile size}}
  %0 = linalg.winograd_output_transform m(2) r(3) ins(%a : tensor<5x4x2x3x7x2xf32>) outs(%b : tensor<7x4x6x2xf32>) -> tensor<7x4x6x2xf32>
  return
}

// -----

func.func @f(%a: memref<1x9x9x4xf32>, %k: memref<3x3x4xf32>, %o: memref<1x4x4x4xf32>) {
  // expected-error @+1 {{attribute 'strides' failed to satisfy constraint: 64-bit signless int elements attribute of shape [2]}}
  linalg.depthwise_conv_2d_nhwc_hwc {strides = dense<2> : tensor<3xi64>} ins(%a, %k : memref<1x9x9x4xf32>, memref<3x3x4xf32>) outs(%o : memref<1x4x4x4xf32>)
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x9xf32>, %c: tensor<4xf32>) {
  // expected-error @+1 {{expects all inputs to have the same shapes. Shape at input-index 1 is not equal to the shape at input-index 0.}}
  %0:2 = linalg.reduce ins(%a, %b : tensor<4x8xf32>, tensor<4x9xf32>) outs(%c, %c : tensor<4xf32>, tensor<4xf32>) dimensions = [1]
    (%x: f32, %y: f32, %s: f32, %t: f32) {
      linalg.yield %x, %y : f32, f32
    }
  return
}

// -----

#no_maps = {iterator_types = ["parallel"]}
func.func @f(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected 'indexing_maps' in the attributes of linalg.generic}}
  %0 = linalg.generic #no_maps ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %o: tensor<8x4xf32>) {
  // expected-error @+1 {{input #0 has shape 4x8, but the output has 8x4}}
  %0 = linalg.elemwise_unary ins(%a : tensor<4x8xf32>) outs(%o : tensor<8x4xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @f(%t: tensor<13x16xf32>, %u: tensor<2x4x8x4xf32>) {
  // expected-error @+1 {{invalid tile factor or output size provided. Only full tiles are supported when padding_value is not set}}
  %0 = linalg.pack %t inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %u : tensor<13x16xf32> -> tensor<2x4x8x4xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %u: tensor<16x8xf32>) {
  // expected-error @+1 {{'linalg.transpose' op expected a body that yields the element of the input and does nothing else}}
  %0 = "linalg.transpose"(%t, %u) <{permutation = array<i64: 1, 0>}> ({
  ^bb0(%a: f32, %b: f32):
    linalg.yield %b : f32
  }) : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  return
}
