// RUN: headrace-opt --legalize-transfer-sizes %s | filecheck %s

// Transfers between memories get constant sizes. A tile extent that varies in an outer dimension becomes a loop; in the
// innermost one the last tile gets a transfer of its own; where the total comes at launch, pieces that divide it.

ktdf_arch.device @sample import("sample.mlir")

// CHECK-LABEL: func.func @outer(
// CHECK: %[[N:.*]] = ktdf.tiling.derive_size
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[N]]
// CHECK: size [1, 64] to %arg1[%[[I]], 0] size [1, 64]
func.func @outer(%a: memref<10x64xf16, "DDR">, %b: memref<4x64xf16, "L1">, %t: index) attributes {grid = [1]} {
  %c4 = arith.constant 4 : index
  %c10 = arith.constant 10 : index
  %n = ktdf.tiling.derive_size [%t : %c4], total_size = %c10 : index
  ktdf.data_transfer from %a[%t * 4, 0] size [%n, 64] to %b[0, 0] size [%n, 64] : memref<10x64xf16, "DDR">, memref<4x64xf16, "L1">
  return
}

// CHECK-LABEL: func.func @inner(
// CHECK: %[[FULL:.*]] = arith.cmpi slt, %arg2, %{{.*}} : index
// CHECK: scf.if %[[FULL]]
// CHECK: size [64] to %arg1[0] size [64]
// CHECK: else
// CHECK: size [36] to %arg1[0] size [36]
func.func @inner(%a: memref<100xf16, "DDR">, %b: memref<64xf16, "L1">, %t: index) attributes {grid = [1]} {
  %c64 = arith.constant 64 : index
  %c100 = arith.constant 100 : index
  %n = ktdf.tiling.derive_size [%t : %c64], total_size = %c100 : index
  ktdf.data_transfer from %a[%t * 64] size [%n] to %b[0] size [%n] : memref<100xf16, "DDR">, memref<64xf16, "L1">
  return
}

// The total is a multiple of 48, the tile holds 64: what is left of it is a multiple of 16, in pieces of 32 and of 16.
// CHECK-LABEL: func.func @launch(
// CHECK: scf.if
// CHECK: size [64] to %arg1[0] size [64]
// CHECK: else
// CHECK: scf.for %[[V:.*]] =
// CHECK: size [32] to %arg1[%[[V]] * 32] size [32]
// CHECK: scf.for
// CHECK: size [16] to %arg1[%{{.*}}] size [16]
func.func @launch(%a: memref<?xf16, "DDR">, %b: memref<64xf16, "L1">, %t: index, %rows: index) attributes {grid = [1]} {
  %c48 = arith.constant 48 : index
  %c64 = arith.constant 64 : index
  %total = arith.muli %rows, %c48 : index
  %n = ktdf.tiling.derive_size [%t : %c64], total_size = %total : index
  ktdf.data_transfer from %a[%t * 64] size [%n] to %b[0] size [%n] : memref<?xf16, "DDR">, memref<64xf16, "L1">
  return
}
