// RUN: headrace-opt --stage-coarsening %s | filecheck %s

// Transfers move whole tiles: the point loop goes into the stages. The staging buffer grows by the tile size, and the
// units that a FIFO joins share one stage with the point loop and a pipeline of their own in it.

ktdf_arch.device @sample import("sample.mlir")

// CHECK-LABEL: func.func @coarse(
// CHECK: %[[S:.*]] = ktdf.tiling.reserve_size
// CHECK: scf.for %[[T:.*]] =
// CHECK: %[[N:.*]] = ktdf.tiling.derive_size
// CHECK: ktdf.pipeline
// CHECK: memref.alloc(%{{.*}}) : memref<?xf16, "L1">
// CHECK: ktdf.stage
// CHECK-NOT: scf.for
// CHECK: ktdf.data_transfer from %arg0
// CHECK: applicable_units = ["MNILU"]
// CHECK: ktdf.stage
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[N]]
// CHECK: ktdf.pipeline
// CHECK: applicable_units = ["L1LU"]
// CHECK: applicable_units = ["SFU"]
// CHECK: applicable_units = ["L1LU", "SFU"]
func.func @coarse(%a: memref<256xf16, "DDR">) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %s = ktdf.tiling.reserve_size {divisibility = 1 : index, min_value = 1 : index} : index
  %m = arith.ceildivui %c4, %s : index
  scf.for %t = %c0 to %m step %c1 {
    %n = ktdf.tiling.derive_size [%t : %s], total_size = %c4 : index
    scf.for %q = %c0 to %n step %c1 {
      %i = ktdf.tiling.linearize_index [%t : %s], [%q : %c1] : index
      ktdf.pipeline {
        %p:4 = ktdf.private -> (memref<64xf16, "L1">, !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>, !ktdf.token, !ktdf.token) {
          %0 = memref.alloc() : memref<64xf16, "L1">
          %1 = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
          %2 = ktdf.create_token : !ktdf.token
          %3 = ktdf.create_token : !ktdf.token
          ktdf.private_yield %0, %1, %2, %3 : memref<64xf16, "L1">, !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>, !ktdf.token, !ktdf.token
        }
        ktdf.stage depends_in(none) depends_out(%p#2) {
          ktdf.data_transfer from %a[%i * 64] size [64] to %p#0[0] size [64] : memref<256xf16, "DDR">, memref<64xf16, "L1">
        } {applicable_units = ["MNILU"]}
        ktdf.stage depends_in(%p#2) depends_out(%p#3) {
          ktdf.data_transfer from %p#0[0] size [64] to %p#1 size [64] : memref<64xf16, "L1">, !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
        } {applicable_units = ["L1LU"]}
        ktdf.stage depends_in(%p#3) depends_out(none) {
          %0 = ktdf.read_from_fifo %p#1 : <"L1LU" -> "SFU", 64xf16> -> tensor<64xf16>
        } {applicable_units = ["SFU"]}
      }
    } {loop_type = #ktdf.loop_type<parallel_loop>}
  } {loop_type = #ktdf.loop_type<parallel_loop>}
  return
}
