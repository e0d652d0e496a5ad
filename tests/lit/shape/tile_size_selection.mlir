// RUN: headrace-opt --tile-size-selection --split-input-file --verify-diagnostics %s | filecheck %s

// The placeholder becomes a number: all eight rows fit, so there is one tile and its loop is gone.

ktdf_arch.device @sample import("sample.mlir")

// CHECK-LABEL: func.func @fits(
// CHECK-NOT: reserve_size
// CHECK: memref.alloc() : memref<8x64xf16, "L1">
func.func @fits(%a: memref<8x64xf16, "DDR">) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %s = ktdf.tiling.reserve_size {divisibility = 1 : index, min_value = 1 : index} : index
  %n = arith.ceildivui %c8, %s : index
  scf.for %t = %c0 to %n step %c1 {
    %k = ktdf.tiling.derive_size [%t : %s], total_size = %c8 : index
    ktdf.pipeline {
      %p = ktdf.private -> (memref<?x64xf16, "L1">) {
        %0 = memref.alloc(%s) : memref<?x64xf16, "L1">
        ktdf.private_yield %0 : memref<?x64xf16, "L1">
      }
      ktdf.stage depends_in(none) depends_out(none) {
        ktdf.data_transfer from %a[%t * 8, 0] size [%k, 64] to %p[0, 0] size [%k, 64] : memref<8x64xf16, "DDR">, memref<?x64xf16, "L1">
      } {applicable_units = ["MNILU"]}
    }
  }
  return
}

// -----

// Two copies of the smallest tile would not fit: there is one.

ktdf_arch.device @sample import("sample.mlir")

// CHECK-LABEL: func.func @fits_once(
// CHECK-SAME: headrace.copies = 1
func.func @fits_once() attributes {grid = [1]} {
  %c8 = arith.constant 8 : index
  %s = ktdf.tiling.reserve_size {divisibility = 1 : index, min_value = 1 : index} : index
  %n = arith.ceildivui %c8, %s : index
  %0 = memref.alloc(%s) : memref<?x400000xf16, "L1">
  return
}

// -----

ktdf_arch.device @sample import("sample.mlir")

// expected-error@+1 {{tile-size-selection: the smallest tile of this program does not fit the scratchpad}}
func.func @too_large() attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %s = ktdf.tiling.reserve_size {divisibility = 1 : index, min_value = 1 : index} : index
  %n = arith.ceildivui %c8, %s : index
  %0 = memref.alloc(%s) : memref<?x4000000xf16, "L1">
  return
}
