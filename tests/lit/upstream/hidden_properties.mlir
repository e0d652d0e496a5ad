// A property that a text form does not show is kept: the operation is printed in its generic form.
// RUN: %headrace-opt %s | %filecheck %s
// RUN: %headrace-opt %s --mlir-print-op-generic | %headrace-opt | %filecheck %s

// CHECK-LABEL: func.func @f
func.func @f(%a: f32) {
  // CHECK-NEXT: "arith.addf"(%arg0, %arg0) <{fastmath = #arith.fastmath<none>, later = 1 : i32}>
  %0 = "arith.addf"(%a, %a) <{later = 1 : i32}> : (f32, f32) -> f32
  // CHECK: arith.addf %arg0, %arg0 : f32
  %1 = "arith.addf"(%a, %a) : (f32, f32) -> f32
  // CHECK: arith.truncf %arg0 downward : f32 to f16
  %2 = arith.truncf %a downward : f32 to f16
  return
}

// A factor of 0 leaves nothing of its loop in the maps; the generic form shows them.
// CHECK-LABEL: func.func @g
func.func @g(%x: tensor<1x2x6x6x6xf32>, %w: tensor<2x7x6x3x2xf32>, %o: tensor<1x2x7x6x6xf32>) {
  // CHECK: linalg.conv_2d_ngchw_gfchw {dilations = dense<0> : tensor<2xi64>
  %0 = linalg.conv_2d_ngchw_gfchw {dilations = dense<0> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x2x6x6x6xf32>, tensor<2x7x6x3x2xf32>) outs(%o : tensor<1x2x7x6x6xf32>) -> tensor<1x2x7x6x6xf32>
  return
}
