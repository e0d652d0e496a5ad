// RUN: %headrace-opt %s --prepare --form-dispatches --keep-names | %filecheck %s

// CHECK: flow.executable private @addf_0
// CHECK: func.func @addf_0(%arg0: tensor<4xf32>) -> tensor<4xf32>
// CHECK: arith.addf %arg0, %arg0
// CHECK: flow.dispatch @addf_0::@addf_0(%x) : (tensor<4xf32>) -> tensor<4xf32>

func.func private @twice(%a: tensor<4xf32>) -> tensor<4xf32> {
  %b = arith.addf %a, %a : tensor<4xf32>
  return %b : tensor<4xf32>
}
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = func.call @twice(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
