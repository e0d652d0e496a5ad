// RUN: headrace-opt --parallelize-loops-across-instances %s | filecheck %s

// The sample device has two corelets with these units: the vector loop is shared between them.

ktdf_arch.device @sample import("sample.mlir")

// CHECK-LABEL: func.func @share(
// CHECK: ktdf.parallel (%{{.*}}, %{{.*}}) = (%{{.*}}) to (%{{.*}}) step (%{{.*}}) distribute(num_instances = 2)
// CHECK-NOT: scf.for
func.func @share(%a: memref<256xf16, "L1">) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  ktdf.pipeline {
    ktdf.stage depends_in(none) depends_out(none) {
      scf.for %i = %c0 to %c4 step %c1 {
        ktdf.pipeline {
          %p:2 = ktdf.private -> (!ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>, !ktdf.token) {
            %0 = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
            %1 = ktdf.create_token : !ktdf.token
            ktdf.private_yield %0, %1 : !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>, !ktdf.token
          }
          ktdf.stage depends_in(none) depends_out(%p#1) {
            ktdf.data_transfer from %a[%i * 64] size [64] to %p#0 size [64] : memref<256xf16, "L1">, !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
          } {applicable_units = ["L1LU"]}
          ktdf.stage depends_in(%p#1) depends_out(none) {
            %0 = ktdf.read_from_fifo %p#0 : <"L1LU" -> "SFU", 64xf16> -> tensor<64xf16>
          } {applicable_units = ["SFU"]}
        }
      } {loop_type = #ktdf.loop_type<parallel_loop>}
    } {applicable_units = ["L1LU", "SFU"]}
  }
  return
}
