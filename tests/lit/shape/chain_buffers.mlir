// RUN: headrace-opt --tile-size-selection --double-buffering --split-input-file %s | filecheck %s

// A program of a chain that a loop of the coordinator calls has a buffer for each of its tiles, so that all of its next
// data is fetched beside the other programs. Outside of a loop, and outside of chains, tiles are as ever.

ktdf_arch.device @sample import("sample.mlir")

module {
// CHECK-LABEL: func.func @repeated(
func.func @repeated(%a: memref<1024x64xf16, "DDR">) attributes {grid = [1], headrace.chained} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    func.call @p(%a) : (memref<1024x64xf16, "DDR">) -> ()
  }
  return
}
func.func private @p(memref<1024x64xf16, "DDR">)
}
module @p {
  // CHECK: func.func @p({{.*}}headrace.copies = 4
  // CHECK-COUNT-4: memref.alloc() : memref<256x64xf16, "L1">
  // CHECK: scf.for {{.*}} to %c4
  // CHECK: ktdf.buffer_phase({{.*}}num_phases = 4
  func.func @p(%a: memref<1024x64xf16, "DDR">) attributes {grid = [1]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c1024 = arith.constant 1024 : index
    %s = ktdf.tiling.reserve_size {divisibility = 1 : index, min_value = 1 : index} : index
    %n = arith.ceildivui %c1024, %s : index
    scf.for %t = %c0 to %n step %c1 {
      %k = ktdf.tiling.derive_size [%t : %s], total_size = %c1024 : index
      ktdf.pipeline {
        %p = ktdf.private -> (memref<?x64xf16, "L1">) {
          %0 = memref.alloc(%s) : memref<?x64xf16, "L1">
          ktdf.private_yield %0 : memref<?x64xf16, "L1">
        }
        ktdf.stage depends_in(none) depends_out(none) {
          ktdf.data_transfer from %a[%t * 8, 0] size [%k, 64] to %p[0, 0] size [%k, 64] : memref<1024x64xf16, "DDR">, memref<?x64xf16, "L1">
        } {applicable_units = ["MNILU"]}
        ktdf.stage depends_in(none) depends_out(none) {
          ktdf.data_transfer from %p[0, 0] size [%k, 64] to %a[%t * 8, 0] size [%k, 64] : memref<?x64xf16, "L1">, memref<1024x64xf16, "DDR">
        } {applicable_units = ["MNISU"]}
      }
    }
    return
  }
}

// -----

ktdf_arch.device @sample import("sample.mlir")

module {
// CHECK-LABEL: func.func @once(
func.func @once(%a: memref<1024x64xf16, "DDR">) attributes {grid = [1], headrace.chained} {
  func.call @p(%a) : (memref<1024x64xf16, "DDR">) -> ()
  return
}
func.func private @p(memref<1024x64xf16, "DDR">)
}
module @p {
  // CHECK: func.func @p(
  // CHECK-COUNT-2: memref.alloc() : memref<{{[0-9]+}}x64xf16, "L1">
  // CHECK: ktdf.buffer_phase({{.*}}num_phases = 2
  func.func @p(%a: memref<1024x64xf16, "DDR">) attributes {grid = [1]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c1024 = arith.constant 1024 : index
    %s = ktdf.tiling.reserve_size {divisibility = 1 : index, min_value = 1 : index} : index
    %n = arith.ceildivui %c1024, %s : index
    scf.for %t = %c0 to %n step %c1 {
      %k = ktdf.tiling.derive_size [%t : %s], total_size = %c1024 : index
      ktdf.pipeline {
        %p = ktdf.private -> (memref<?x64xf16, "L1">) {
          %0 = memref.alloc(%s) : memref<?x64xf16, "L1">
          ktdf.private_yield %0 : memref<?x64xf16, "L1">
        }
        ktdf.stage depends_in(none) depends_out(none) {
          ktdf.data_transfer from %a[%t * 8, 0] size [%k, 64] to %p[0, 0] size [%k, 64] : memref<1024x64xf16, "DDR">, memref<?x64xf16, "L1">
        } {applicable_units = ["MNILU"]}
        ktdf.stage depends_in(none) depends_out(none) {
          ktdf.data_transfer from %p[0, 0] size [%k, 64] to %a[%t * 8, 0] size [%k, 64] : memref<?x64xf16, "L1">, memref<1024x64xf16, "DDR">
        } {applicable_units = ["MNISU"]}
      }
    }
    return
  }
}
