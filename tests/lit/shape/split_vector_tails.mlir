// RUN: headrace-opt --split-vector-tails %s | filecheck %s

// 100 elements are one full vector of 64 and a tail of 36 that follows the vector loop as a pipeline of its own.

ktdf_arch.device @sample import("sample.mlir")

// CHECK-LABEL: func.func @tail(
// CHECK: !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
// CHECK: size [64] to %{{.*}} size [64] : memref<100xf16, "L1">
// CHECK: !ktdf.fifo.slot<"L1LU" -> "SFU", 36xf16>
// CHECK: ktdf.data_transfer from %{{.*}}[64] size [36] to %{{.*}} size [36] : memref<100xf16, "L1">
func.func @tail(%a: memref<100xf16, "L1">) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %c100 = arith.constant 100 : index
  ktdf.pipeline {
    ktdf.stage depends_in(none) depends_out(none) {
      scf.for %i = %c0 to %c2 step %c1 {
        %n = ktdf.tiling.derive_size [%i : %c64], total_size = %c100 : index
        ktdf.pipeline {
          %p:2 = ktdf.private -> (!ktdf.fifo.slot<"L1LU" -> "SFU", ?xf16>, !ktdf.token) {
            %0 = ktdf.fifo.allocate(%n) -> !ktdf.fifo.slot<"L1LU" -> "SFU", ?xf16>
            %1 = ktdf.create_token : !ktdf.token
            ktdf.private_yield %0, %1 : !ktdf.fifo.slot<"L1LU" -> "SFU", ?xf16>, !ktdf.token
          }
          ktdf.stage depends_in(none) depends_out(%p#1) {
            ktdf.data_transfer from %a[%i * 64] size [%n] to %p#0 size [%n] : memref<100xf16, "L1">, !ktdf.fifo.slot<"L1LU" -> "SFU", ?xf16>
          } {applicable_units = ["L1LU"]}
          ktdf.stage depends_in(%p#1) depends_out(none) {
            %0 = ktdf.read_from_fifo %p#0 : <"L1LU" -> "SFU", ?xf16> -> tensor<?xf16>
          } {applicable_units = ["SFU"]}
        }
      } {loop_type = #ktdf.loop_type<parallel_loop>}
    } {applicable_units = ["L1LU", "SFU"]}
  }
  return
}

// The extent is only known at launch: full vectors, then for what is left one vector for every power of two in it.
// The total is a multiple of 16, so the shortest piece has 16 elements. The number of a lane counts from where its piece starts.

// CHECK-LABEL: func.func @launch(
// CHECK: !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
// CHECK: scf.if
// CHECK: scf.for
// CHECK: !ktdf.fifo.slot<"L1LU" -> "SFU", 32xf16>
// CHECK: %[[LANE:.*]] = linalg.index 0 : index
// CHECK: %[[AT:.*]] = arith.addi %[[LANE]], %{{.*}} : index
// CHECK: arith.index_cast %[[AT]] : index to i32
// CHECK: scf.for
// CHECK: !ktdf.fifo.slot<"L1LU" -> "SFU", 16xf16>
// CHECK-NOT: 8xf16
func.func @launch(%a: memref<160xf16, "L1">, %blocks: index) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %n = arith.muli %blocks, %c16 : index
  ktdf.pipeline {
    ktdf.stage depends_in(none) depends_out(none) {
      scf.for %i = %c0 to %c3 step %c1 {
        %l = ktdf.tiling.derive_size [%i : %c64], total_size = %n : index
        ktdf.pipeline {
          %p:2 = ktdf.private -> (!ktdf.fifo.slot<"L1LU" -> "SFU", ?xf16>, !ktdf.token) {
            %0 = ktdf.fifo.allocate(%l) -> !ktdf.fifo.slot<"L1LU" -> "SFU", ?xf16>
            %1 = ktdf.create_token : !ktdf.token
            ktdf.private_yield %0, %1 : !ktdf.fifo.slot<"L1LU" -> "SFU", ?xf16>, !ktdf.token
          }
          ktdf.stage depends_in(none) depends_out(%p#1) {
            ktdf.data_transfer from %a[%i * 64] size [%l] to %p#0 size [%l] : memref<160xf16, "L1">, !ktdf.fifo.slot<"L1LU" -> "SFU", ?xf16>
          } {applicable_units = ["L1LU"]}
          ktdf.stage depends_in(%p#1) depends_out(none) {
            %0 = ktdf.read_from_fifo %p#0 : <"L1LU" -> "SFU", ?xf16> -> tensor<?xf16>
            %e = tensor.empty(%l) : tensor<?xi32>
            %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%0 : tensor<?xf16>) outs(%e : tensor<?xi32>) {
            ^bb0(%x: f16, %o: i32):
              %k = linalg.index 0 : index
              %number = arith.index_cast %k : index to i32
              linalg.yield %number : i32
            } -> tensor<?xi32>
          } {applicable_units = ["SFU"]}
        }
      } {loop_type = #ktdf.loop_type<parallel_loop>}
    } {applicable_units = ["L1LU", "SFU"]}
  }
  return
}
