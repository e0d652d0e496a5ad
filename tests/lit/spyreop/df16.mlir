// df16 is a float for the float operations of arith, math and linalg.
// RUN: %headrace-opt %s | %headrace-opt | %filecheck %s
// RUN: %headrace-opt %s --mlir-print-op-generic | %headrace-opt | %filecheck %s

func.func @df16(%a: !spyreop.df16, %t: tensor<4x!spyreop.df16>, %x: f32, %m: memref<4x!spyreop.df16>) {
  // CHECK: arith.negf %{{.*}} : !spyreop.df16
  %0 = arith.negf %a : !spyreop.df16
  // CHECK: arith.addf %{{.*}}, %{{.*}} : tensor<4x!spyreop.df16>
  %1 = arith.addf %t, %t : tensor<4x!spyreop.df16>
  // CHECK: arith.extf %{{.*}} : !spyreop.df16 to f32
  %2 = arith.extf %a : !spyreop.df16 to f32
  // CHECK: arith.truncf %{{.*}} : f32 to !spyreop.df16
  %3 = arith.truncf %x : f32 to !spyreop.df16
  // CHECK: arith.cmpf ogt, %{{.*}}, %{{.*}} : tensor<4x!spyreop.df16>
  %4 = arith.cmpf ogt, %t, %t : tensor<4x!spyreop.df16>
  // CHECK: math.exp %{{.*}} : !spyreop.df16
  %5 = math.exp %a : !spyreop.df16
  // CHECK: math.absf %{{.*}} : tensor<4x!spyreop.df16>
  %6 = math.absf %t : tensor<4x!spyreop.df16>
  // CHECK: math.powf %{{.*}}, %{{.*}} : !spyreop.df16
  %7 = math.powf %a, %a : !spyreop.df16
  // CHECK: math.fma %{{.*}}, %{{.*}}, %{{.*}} : tensor<4x!spyreop.df16>
  %8 = math.fma %t, %t, %t : tensor<4x!spyreop.df16>
  // CHECK: linalg.exp ins(%{{.*}} : tensor<4x!spyreop.df16>) outs(%{{.*}} : tensor<4x!spyreop.df16>) -> tensor<4x!spyreop.df16>
  %9 = linalg.exp ins(%t : tensor<4x!spyreop.df16>) outs(%t : tensor<4x!spyreop.df16>) -> tensor<4x!spyreop.df16>
  // CHECK: linalg.reduce { arith.addf } ins(%{{.*}} : tensor<4x!spyreop.df16>) outs(%{{.*}} : tensor<!spyreop.df16>) dimensions = [0]
  %10 = tensor.splat %a : tensor<!spyreop.df16>
  %11 = linalg.reduce { arith.addf } ins(%t : tensor<4x!spyreop.df16>) outs(%10 : tensor<!spyreop.df16>) dimensions = [0]
  // CHECK: memref.store %{{.*}}, %{{.*}}[%{{.*}}] : memref<4x!spyreop.df16>
  %c0 = arith.constant 0 : index
  memref.store %a, %m[%c0] : memref<4x!spyreop.df16>
  return
}
