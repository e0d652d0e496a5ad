// RUN: %headrace-opt %s --prepare --keep-names | %filecheck %s

// CHECK-NOT: @twice
// CHECK: util.func public @f(%x: tensor<4xf32>)
// CHECK-NEXT: arith.addf %x, %x
// CHECK-NOT: func.call
// CHECK: util.return

func.func private @twice(%a: tensor<4xf32>) -> tensor<4xf32> {
  %b = arith.addf %a, %a : tensor<4xf32>
  return %b : tensor<4xf32>
}
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = func.call @twice(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
