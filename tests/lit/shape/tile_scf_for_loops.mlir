// RUN: headrace-opt --tile-scf-for-loops %s | filecheck %s

// Every loop around a pipeline becomes a tile loop and a point loop; the size is a placeholder that a later pass fills.

ktdf_arch.device @sample import("sample.mlir")

// CHECK-LABEL: func.func @rows(
// CHECK: %[[S0:.*]] = ktdf.tiling.reserve_size
// CHECK: %[[S1:.*]] = ktdf.tiling.reserve_size
// CHECK: arith.ceildivui %{{.*}}, %[[S0]]
// CHECK: arith.ceildivui %{{.*}}, %[[S1]]
// CHECK: scf.for %[[T0:.*]] =
// CHECK: scf.for %[[T1:.*]] =
// CHECK: %[[N0:.*]] = ktdf.tiling.derive_size [%[[T0]] : %[[S0]]], total_size = %{{.*}} : index
// CHECK: %[[N1:.*]] = ktdf.tiling.derive_size [%[[T1]] : %[[S1]]], total_size = %{{.*}} : index
// CHECK: scf.for %[[P0:.*]] = %{{.*}} to %[[N0]]
// CHECK: scf.for %[[P1:.*]] = %{{.*}} to %[[N1]]
// CHECK: ktdf.tiling.linearize_index [%[[T0]] : %[[S0]]], [%[[P0]] : %{{.*}}]
// CHECK: ktdf.tiling.linearize_index [%[[T1]] : %[[S1]]], [%[[P1]] : %{{.*}}]
// CHECK: ktdf.pipeline
func.func @rows(%a: memref<6x128xf16, "DDR">) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  scf.for %i = %c0 to %c6 step %c1 {
    scf.for %j = %c0 to %c2 step %c1 {
      ktdf.pipeline {
        %p = ktdf.private -> (memref<1x64xf16, "L1">) {
          %0 = memref.alloc() : memref<1x64xf16, "L1">
          ktdf.private_yield %0 : memref<1x64xf16, "L1">
        }
        ktdf.stage depends_in(none) depends_out(none) {
          ktdf.data_transfer from %a[%i, %j * 64] size [1, 64] to %p[0, 0] size [1, 64] : memref<6x128xf16, "DDR">, memref<1x64xf16, "L1">
        } {applicable_units = ["MNILU"]}
      }
    }
  }
  return
}
