// Literals are compared by their bits: a NaN splat stays a splat, zeros of both signs stay apart.
// RUN: %headrace-opt %s | %headrace-opt | %filecheck %s
// RUN: %headrace-opt %s --mlir-print-op-generic | %headrace-opt | %filecheck %s

// CHECK-LABEL: func.func @literals(%arg0: memref<*xf32, 1>, %arg1: memref<*xf32, "L1">, %arg2: f32)
func.func @literals(%a: memref<*xf32, 1>, %b: memref<*xf32, "L1">, %c: f32) {
  // CHECK: arith.constant dense<0x7FC00000> : tensor<2xf32>
  %0 = arith.constant dense<0x7FC00000> : tensor<2xf32>
  // CHECK: arith.constant dense<[0x7FC00000, 0x7FC00001]> : tensor<2xf32>
  %1 = arith.constant dense<[0x7FC00000, 0x7FC00001]> : tensor<2xf32>
  // CHECK: arith.constant dense<{{\[}}[-0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00]]> : tensor<2x2xf16>
  %2 = arith.constant dense<[[-0.0, 0.0], [0.0, 0.0]]> : tensor<2x2xf16>
  // CHECK: arith.constant dense<-0.000000e+00> : tensor<2xf32>
  %3 = arith.constant dense<-0.0> : tensor<2xf32>
  // CHECK: math.erfc %arg2 : f32
  %4 = math.erfc %c : f32
  return
}
