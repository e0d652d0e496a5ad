// RUN: headrace-opt --ktdf-to-ktdflowering --ktdflowering-to-dfir %s | filecheck %s

// An element that a load unit spreads over a vector is loaded one iteration ahead: it is there when its turn comes.

ktdf_arch.device @sample import("sample.mlir")

// The row's element of the next iteration, at most that of the last, is loaded while this one's is carried by the loop.
// CHECK-LABEL: func.func @ahead(
// CHECK: dataflow.program_unit
// CHECK: %[[FIRST:.*]] = agen.vector_load %[[X:[0-9]+]][%c0{{.*}}, 3] {{.*}} vector<1xf16>
// CHECK: scf.for %[[R:.*]] = %c0 to %c8 step %c1 iter_args(%[[S:.*]] = %[[FIRST]]) -> (vector<1xf16>)
// CHECK: %[[NEXT:.*]] = arith.addi %[[R]], %{{.*}}
// CHECK: %[[AT:.*]] = arith.minsi %[[NEXT]], %{{.*}}
// CHECK: %[[AHEAD:.*]] = agen.vector_load %[[X]][%[[AT]], 3] {{.*}} vector<1xf16>
// CHECK-NOT: vector<1xf16>
// CHECK: vectorchain.shuffle input(%[[S]])
// CHECK: scf.yield %[[AHEAD]]
func.func @ahead() attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %x = builtin.unrealized_conversion_cast %c0 : index to memref<8x64xf16, "L1">
  %c1024 = arith.constant 1024 : index
  %z = builtin.unrealized_conversion_cast %c1024 : index to memref<8x64xf16, "L1">
  scf.for %r = %c0 to %c8 step %c1 {
    ktdf.pipeline {
      %p:5 = ktdf.private -> (!ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>, !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>, !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>, !ktdf.token, !ktdf.token) {
        %f:2 = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>, !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
        %g = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>
        %t0 = ktdf.create_token : !ktdf.token
        %t1 = ktdf.create_token : !ktdf.token
        ktdf.private_yield %f#0, %f#1, %g, %t0, %t1 : !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>, !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>, !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>, !ktdf.token, !ktdf.token
      }
      ktdf.stage depends_in(none) depends_out(%p#3) {
        ktdf.data_transfer from %x[%r, 3] size [1, 1] to %p#0 size [64] {transfer_mode = "splat"} : memref<8x64xf16, "L1">, !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
        ktdf.data_transfer from %x[%r, 0] size [1, 64] to %p#1 size [64] : memref<8x64xf16, "L1">, !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
      } {applicable_units = ["L1LU"]}
      ktdf.stage depends_in(%p#3) depends_out(%p#4) {
        %u = ktdf.read_from_fifo %p#0 : !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16> -> tensor<64xf16>
        %v = ktdf.read_from_fifo %p#1 : !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16> -> tensor<64xf16>
        %e = tensor.empty() : tensor<64xf16>
        %w = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%u, %v : tensor<64xf16>, tensor<64xf16>) outs(%e : tensor<64xf16>) {
        ^bb0(%i: f16, %j: f16, %out: f16):
          %m = arith.mulf %i, %j : f16
          linalg.yield %m : f16
        } -> tensor<64xf16>
        ktdf.write_to_fifo %w, %p#2 : tensor<64xf16>, !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>
      } {applicable_units = ["SFU"]}
      ktdf.stage depends_in(%p#4) depends_out(none) {
        ktdf.data_transfer from %p#2 size [64] to %z[%r, 0] size [1, 64] : !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>, memref<8x64xf16, "L1">
      } {applicable_units = ["L1SU"]}
    }
  }
  return
}

// Where the loop waits for what it loads, the element may change until then: it is loaded behind the wait.
// CHECK-LABEL: func.func @waits(
// CHECK: dataflow.program_unit
// CHECK-NOT: iter_args
// CHECK: dataflow.sync_recv
// CHECK: %[[S:.*]] = agen.vector_load {{.*}} vector<1xf16>
// CHECK: vectorchain.shuffle input(%[[S]])
func.func @waits() attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %x = builtin.unrealized_conversion_cast %c0 : index to memref<8x64xf16, "L1">
  scf.for %r = %c0 to %c8 step %c1 {
    ktdf.pipeline {
      %p:5 = ktdf.private -> (!ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>, !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>, !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>, !ktdf.token, !ktdf.token) {
        %f:2 = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>, !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
        %g = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>
        %t0 = ktdf.create_token : !ktdf.token
        %t1 = ktdf.create_token : !ktdf.token
        ktdf.private_yield %f#0, %f#1, %g, %t0, %t1 : !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>, !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>, !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>, !ktdf.token, !ktdf.token
      }
      ktdf.stage depends_in(none) depends_out(%p#3) {
        ktdf.data_transfer from %x[%r, 3] size [1, 1] to %p#0 size [64] {transfer_mode = "splat"} : memref<8x64xf16, "L1">, !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
        ktdf.data_transfer from %x[%r, 0] size [1, 64] to %p#1 size [64] : memref<8x64xf16, "L1">, !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
      } {applicable_units = ["L1LU"]}
      ktdf.stage depends_in(%p#3) depends_out(%p#4) {
        %u = ktdf.read_from_fifo %p#0 : !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16> -> tensor<64xf16>
        %v = ktdf.read_from_fifo %p#1 : !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16> -> tensor<64xf16>
        %e = tensor.empty() : tensor<64xf16>
        %w = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%u, %v : tensor<64xf16>, tensor<64xf16>) outs(%e : tensor<64xf16>) {
        ^bb0(%i: f16, %j: f16, %out: f16):
          %m = arith.mulf %i, %j : f16
          linalg.yield %m : f16
        } -> tensor<64xf16>
        ktdf.write_to_fifo %w, %p#2 : tensor<64xf16>, !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>
      } {applicable_units = ["SFU"]}
      ktdf.stage depends_in(%p#4) depends_out(none) {
        ktdf.data_transfer from %p#2 size [64] to %x[0, 0] size [1, 64] : !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>, memref<8x64xf16, "L1">
      } {applicable_units = ["L1SU"]}
    }
  }
  return
}
