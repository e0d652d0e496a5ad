// RUN: headrace-opt --reduction-loop-exposure %s | filecheck %s

// A row of 64 in the slots becomes two vectors of 32. The sum folds into one vector in the unit's registers, whose lanes are
// folded last; its result goes to the scratchpad, from where the second pipeline reads it, repeated over a vector. The
// exponentials, which both need, are left in the scratchpad by the first.

ktdf_arch.device @spyre import("spyre.mlir")

// CHECK-LABEL: func.func @shares(
// CHECK: %[[KEPT:.*]] = memref.alloc() : memref<4x64xf32, "L1">
// CHECK: %[[SUM:.*]] = memref.alloc() : memref<4x1xf32, "L1">
// CHECK: ktdf.data_transfer from %{{.*}}[%{{.*}}, %{{.*}} * 32] size [1, 32] to %{{.*}} size [32]
// CHECK: } {applicable_units = ["L1LU"]}
// CHECK: %[[ACC:.*]] = memref.alloc() : memref<32xf32, "SFU_REG">
// CHECK: linalg.fill ins(%{{.*}} : f32) outs(%[[ACC]] : memref<32xf32, "SFU_REG">)
// CHECK: scf.for
// CHECK: math.exp
// CHECK: ktdf.write_to_fifo
// CHECK: outs(%[[ACC]] : memref<32xf32, "SFU_REG">)
// CHECK: arith.addf
// CHECK: iterator_types = ["reduction"]} ins(%[[ACC]] : memref<32xf32, "SFU_REG">)
// CHECK: } {applicable_units = ["SFU"]}
// CHECK: to %[[KEPT]][%{{.*}}, %{{.*}} * 32] size [1, 32]
// CHECK: to %[[SUM]][%{{.*}}, 0] size [1, 1]
// CHECK: } {applicable_units = ["L1SU"]}
// CHECK: ktdf.data_transfer from %[[SUM]][%{{.*}}, 0] size [1, 1] to %{{.*}} size [32] {transfer_mode = "splat"}
// CHECK: ktdf.data_transfer from %[[KEPT]][%{{.*}}, %{{.*}} * 32] size [1, 32]
// CHECK-NOT: math.exp
// CHECK: arith.divf
func.func @shares(%a: memref<4x64xf32, "L1">, %b: memref<4x64xf32, "L1">) attributes {grid = [1]} {
  %cst = arith.constant 0.000000e+00 : f32
  %c4 = arith.constant 4 : index
  ktdf.pipeline {
    ktdf.stage depends_in(none) depends_out(none) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      scf.for %p = %c0 to %c4 step %c1 {
        ktdf.pipeline {
          %3:4 = ktdf.private -> (!ktdf.fifo.slot<"L1LU" -> "SFU", 64xf32>, !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf32>, !ktdf.token, !ktdf.token) {
            %4 = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf32>
            %5 = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf32>
            %6 = ktdf.create_token : !ktdf.token
            %7 = ktdf.create_token : !ktdf.token
            ktdf.private_yield %4, %5, %6, %7 : !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf32>, !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf32>, !ktdf.token, !ktdf.token
          }
          ktdf.stage depends_in(none) depends_out(%3#2) {
            ktdf.data_transfer from %a[%p, 0] size [1, 64] to %3#0 size [64] : memref<4x64xf32, "L1">, !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf32>
          } {applicable_units = ["L1LU"]}
          ktdf.stage depends_in(%3#2) depends_out(%3#3) {
            %4 = ktdf.read_from_fifo %3#0 : <"L1LU" -> "SFU", 64xf32> -> tensor<1x64xf32>
            %5 = tensor.empty() : tensor<1xf32>
            %6 = linalg.fill ins(%cst : f32) outs(%5 : tensor<1xf32>) -> tensor<1xf32>
            %7 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%4 : tensor<1x64xf32>) outs(%6 : tensor<1xf32>) attrs = {headrace.row = {dims = array<i64: 0, 1>, private = array<i64: 1>, vector = 1 : i64}} {
            ^bb0(%in: f32, %out: f32):
              %10 = math.exp %in : f32
              %11 = arith.addf %out, %10 : f32
              linalg.yield %11 : f32
            } -> tensor<1xf32>
            %8 = tensor.empty() : tensor<1x64xf32>
            %9 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%4, %7 : tensor<1x64xf32>, tensor<1xf32>) outs(%8 : tensor<1x64xf32>) attrs = {headrace.row = {dims = array<i64: 0, 1>, private = array<i64: 1>, vector = 1 : i64}} {
            ^bb0(%in: f32, %in_2: f32, %out: f32):
              %10 = math.exp %in : f32
              %11 = arith.divf %10, %in_2 : f32
              linalg.yield %11 : f32
            } -> tensor<1x64xf32>
            ktdf.write_to_fifo %9, %3#1 : tensor<1x64xf32>, <"SFU" -> "L1SU", 64xf32>
          } {applicable_units = ["SFU"]}
          ktdf.stage depends_in(%3#3) depends_out(none) {
            ktdf.data_transfer from %3#1 size [64] to %b[%p, 0] size [1, 64] : !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf32>, memref<4x64xf32, "L1">
          } {applicable_units = ["L1SU"]}
        }
      } {loop_type = #ktdf.loop_type<parallel_loop>}
    } {applicable_units = ["L1LU", "SFU", "L1SU"]}
  }
  return
}
