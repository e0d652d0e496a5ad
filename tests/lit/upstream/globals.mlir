// globals, quoted symbols, constants.
// RUN: %headrace-opt %s | %headrace-opt | %filecheck %s
// RUN: %headrace-opt %s --mlir-print-op-generic | %headrace-opt | %filecheck %s

module {
  memref.global "private" constant @w : memref<2x2xf32> = dense<[[0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00]]>
  memref.global @u : memref<4xi32> = uninitialized {alignment = 64 : i64}
  func.func @"quoted name"(%arg0: tensor<4xi1>, %arg1: tensor<4xf16>) {
    %0 = memref.get_global @w : memref<2x2xf32>
    %1:2 = scf.execute_region -> (index, index) {
      %c1 = arith.constant 1 : index
      scf.yield %c1, %c1 : index, index
    }
    %cst = arith.constant dense<1.000000e+00> : tensor<2xf64>
    %cst_0 = arith.constant 1.000000e+00 : bf16
    %cst_1 = arith.constant 1.2345678909999999E-10 : f64
    return
  }
}

// CHECK:       module {
// CHECK-NEXT:    memref.global "private" constant @w : memref<2x2xf32> = dense<{{[[][[]}}0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00]]>
// CHECK-NEXT:    memref.global @u : memref<4xi32> = uninitialized {alignment = 64 : i64}
// CHECK-NEXT:    func.func @"quoted name"(%arg0: tensor<4xi1>, %arg1: tensor<4xf16>) {
// CHECK-NEXT:      %0 = memref.get_global @w : memref<2x2xf32>
// CHECK-NEXT:      %1:2 = scf.execute_region -> (index, index) {
// CHECK-NEXT:        %c1 = arith.constant 1 : index
// CHECK-NEXT:        scf.yield %c1, %c1 : index, index
// CHECK-NEXT:      }
// CHECK-NEXT:      %cst = arith.constant dense<1.000000e+00> : tensor<2xf64>
// CHECK-NEXT:      %cst_0 = arith.constant 1.000000e+00 : bf16
// CHECK-NEXT:      %cst_1 = arith.constant 1.2345678909999999E-10 : f64
// CHECK-NEXT:      return
// CHECK-NEXT:    }
// CHECK-NEXT:  }
