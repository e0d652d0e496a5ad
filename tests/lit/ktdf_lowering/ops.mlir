// RUN: %headrace-opt %s | %headrace-opt | %filecheck %s
// RUN: %headrace-opt %s --mlir-print-op-generic | %headrace-opt | %filecheck %s

// CHECK-LABEL: func.func @units
func.func @units(%a: index, %b: index) {
  // CHECK: ktdf_lowering.execute_on %{{.*}}, %{{.*}} {
  ktdf_lowering.execute_on %a, %b {
    // CHECK-NEXT: ktdf_lowering.execute_on %{{.*}} {
    ktdf_lowering.execute_on %a {
      %c = arith.constant 1 : index
    } {note = 1 : i64}
    // CHECK: } {note = 1 : i64}
    // CHECK-NEXT: ktdf_lowering.signal %{{.*}}, %{{.*}}
    ktdf_lowering.signal %a, %b
  }
  return
}
