// RUN: %headrace-opt %s --simplify-control-flow --keep-names | %filecheck %s

// CHECK-LABEL: @carried
// CHECK: %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %y) -> (tensor<4xf32>) {
// CHECK: arith.addf %x, %b
// CHECK: util.return %x, %r, %x
util.func public @carried(%x: tensor<4xf32>, %y: tensor<4xf32>, %n: index) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y, %k = %x) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
    %c = arith.addf %a, %b : tensor<4xf32>
    scf.yield %a, %c, %x : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  util.return %r#0, %r#1, %r#2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: @branches
// CHECK: %r = scf.if %c -> (tensor<4xf32>) {
// CHECK: util.return %r, %y
util.func public @branches(%x: tensor<4xf32>, %y: tensor<4xf32>, %c: i1) -> (tensor<4xf32>, tensor<4xf32>) {
  %r:2 = scf.if %c -> (tensor<4xf32>, tensor<4xf32>) {
    scf.yield %x, %y : tensor<4xf32>, tensor<4xf32>
  } else {
    scf.yield %y, %y : tensor<4xf32>, tensor<4xf32>
  }
  util.return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: @never
// CHECK-NOT: scf.for
// CHECK: util.return %x
util.func public @never(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c1 to %c0 step %c1 iter_args(%a = %x) -> (tensor<4xf32>) {
    %b = math.absf %a : tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  util.return %r : tensor<4xf32>
}
