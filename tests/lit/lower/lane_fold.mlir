// RUN: headrace-opt --ktdf-to-ktdflowering --ktdflowering-to-dfir %s | filecheck %s

// The lanes of a vector fold in log2(lanes) steps. A vector of as many elements as the unit has lanes, or fewer, is
// combined with itself turned by half: one shuffle a step. A longer one is cut in halves, and so is the last step's.

ktdf_arch.device @spyre import("spyre.mlir")

// CHECK-LABEL: func.func @turned(
// CHECK: %[[X:.*]] = dataflow.receive {{.*}} : vector<8xf32>
// CHECK-NEXT: %[[A:.*]] = vectorchain.shuffle input(%[[X]]) {indices = [4 : i32, 5 : i32, 6 : i32, 7 : i32, 0 : i32, 1 : i32, 2 : i32, 3 : i32]
// CHECK-NEXT: %[[B:.*]] = vectorchain.binary %[[X]], %[[A]]
// CHECK-NEXT: %[[C:.*]] = vectorchain.shuffle input(%[[B]]) {indices = [2 : i32, 3 : i32, 4 : i32, 5 : i32, 6 : i32, 7 : i32, 0 : i32, 1 : i32]
// CHECK-NEXT: %[[D:.*]] = vectorchain.binary %[[B]], %[[C]] {{.*}} : vector<8xf32>, vector<8xf32>, vector<8xf32>
// CHECK-NEXT: vectorchain.shuffle input(%[[D]]) {indices = [0 : i32], {{.*}} vector<1xf32>
// CHECK-NEXT: vectorchain.shuffle input(%[[D]]) {indices = [1 : i32], {{.*}} vector<1xf32>
// CHECK-NEXT: vectorchain.binary {{.*}} : vector<1xf32>, vector<1xf32>, vector<1xf32>
func.func @turned() attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.000000e+00 : f32
  %x = builtin.unrealized_conversion_cast %c0 : index to memref<8xf32, "L1">
  ktdf.pipeline {
    %p:4 = ktdf.private -> (!ktdf.fifo.slot<"L1LU" -> "SFU", 8xf32>, !ktdf.fifo.slot<"SFU" -> "L1SU", 1xf32>, !ktdf.token, !ktdf.token) {
      %f = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"L1LU" -> "SFU", 8xf32>
      %g = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"SFU" -> "L1SU", 1xf32>
      %t0 = ktdf.create_token : !ktdf.token
      %t1 = ktdf.create_token : !ktdf.token
      ktdf.private_yield %f, %g, %t0, %t1 : !ktdf.fifo.slot<"L1LU" -> "SFU", 8xf32>, !ktdf.fifo.slot<"SFU" -> "L1SU", 1xf32>, !ktdf.token, !ktdf.token
    }
    ktdf.stage depends_in(none) depends_out(%p#2) {
      ktdf.data_transfer from %x[0] size [8] to %p#0 size [8] : memref<8xf32, "L1">, !ktdf.fifo.slot<"L1LU" -> "SFU", 8xf32>
    } {applicable_units = ["L1LU"]}
    ktdf.stage depends_in(%p#2) depends_out(%p#3) {
      %v = ktdf.read_from_fifo %p#0 : <"L1LU" -> "SFU", 8xf32> -> tensor<8xf32>
      %e = tensor.empty() : tensor<1xf32>
      %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1xf32>) -> tensor<1xf32>
      %s = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (0)>], iterator_types = ["reduction"]} ins(%v : tensor<8xf32>) outs(%z : tensor<1xf32>) {
      ^bb0(%in: f32, %out: f32):
        %a = arith.addf %out, %in : f32
        linalg.yield %a : f32
      } -> tensor<1xf32>
      ktdf.write_to_fifo %s, %p#1 : tensor<1xf32>, <"SFU" -> "L1SU", 1xf32>
    } {applicable_units = ["SFU"]}
    ktdf.stage depends_in(%p#3) depends_out(none) {
      ktdf.data_transfer from %p#1 size [1] to %x[0] size [1] : !ktdf.fifo.slot<"SFU" -> "L1SU", 1xf32>, memref<8xf32, "L1">
    } {applicable_units = ["L1SU"]}
  }
  return
}

// CHECK-LABEL: func.func @cut(
// CHECK: %[[X:.*]] = dataflow.receive {{.*}} : vector<64xf32>
// CHECK-NEXT: %[[LOW:.*]] = vectorchain.shuffle input(%[[X]]) {indices = [0 : i32, 1 : i32, {{.*}} vector<64xf32>, vector<32xf32>
// CHECK-NEXT: %[[HIGH:.*]] = vectorchain.shuffle input(%[[X]]) {indices = [32 : i32, 33 : i32, {{.*}} vector<64xf32>, vector<32xf32>
// CHECK-NEXT: %[[HALF:.*]] = vectorchain.binary %[[LOW]], %[[HIGH]]
// CHECK-NEXT: %[[TURNED:.*]] = vectorchain.shuffle input(%[[HALF]]) {indices = [16 : i32, 17 : i32, {{.*}} vector<32xf32>, vector<32xf32>
// CHECK-NEXT: vectorchain.binary %[[HALF]], %[[TURNED]]
func.func @cut() attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.000000e+00 : f32
  %x = builtin.unrealized_conversion_cast %c0 : index to memref<64xf32, "L1">
  ktdf.pipeline {
    %p:4 = ktdf.private -> (!ktdf.fifo.slot<"L1LU" -> "SFU", 64xf32>, !ktdf.fifo.slot<"SFU" -> "L1SU", 1xf32>, !ktdf.token, !ktdf.token) {
      %f = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf32>
      %g = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"SFU" -> "L1SU", 1xf32>
      %t0 = ktdf.create_token : !ktdf.token
      %t1 = ktdf.create_token : !ktdf.token
      ktdf.private_yield %f, %g, %t0, %t1 : !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf32>, !ktdf.fifo.slot<"SFU" -> "L1SU", 1xf32>, !ktdf.token, !ktdf.token
    }
    ktdf.stage depends_in(none) depends_out(%p#2) {
      ktdf.data_transfer from %x[0] size [64] to %p#0 size [64] : memref<64xf32, "L1">, !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf32>
    } {applicable_units = ["L1LU"]}
    ktdf.stage depends_in(%p#2) depends_out(%p#3) {
      %v = ktdf.read_from_fifo %p#0 : <"L1LU" -> "SFU", 64xf32> -> tensor<64xf32>
      %e = tensor.empty() : tensor<1xf32>
      %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1xf32>) -> tensor<1xf32>
      %s = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (0)>], iterator_types = ["reduction"]} ins(%v : tensor<64xf32>) outs(%z : tensor<1xf32>) {
      ^bb0(%in: f32, %out: f32):
        %a = arith.addf %out, %in : f32
        linalg.yield %a : f32
      } -> tensor<1xf32>
      ktdf.write_to_fifo %s, %p#1 : tensor<1xf32>, <"SFU" -> "L1SU", 1xf32>
    } {applicable_units = ["SFU"]}
    ktdf.stage depends_in(%p#3) depends_out(none) {
      ktdf.data_transfer from %p#1 size [1] to %x[0] size [1] : !ktdf.fifo.slot<"SFU" -> "L1SU", 1xf32>, memref<64xf32, "L1">
    } {applicable_units = ["L1SU"]}
  }
  return
}
