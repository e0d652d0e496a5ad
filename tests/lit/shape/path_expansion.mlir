// RUN: headrace-opt --path-expansion %s | filecheck %s

// A direct pipeline between device memory and the compute unit goes along the routes of the device: staging buffers
// appear in the scratchpad, every leg gets a stage of the unit that moves it, and slots join real units.

ktdf_arch.device @sample import("sample.mlir")

// CHECK-LABEL: func.func @copy(
// CHECK: ktdf.private -> (memref<64xf16, "L1">, memref<64xf16, "L1">, !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>, !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>
// CHECK: ktdf.data_transfer from %arg0[%{{.*}} * 64] size [64] to %[[P:.*]]#0[0] size [64]
// CHECK: applicable_units = ["MNILU"]
// CHECK: ktdf.data_transfer from %[[P]]#0[0] size [64] to %[[P]]#2 size [64]
// CHECK: applicable_units = ["L1LU"]
// CHECK: applicable_units = ["SFU"]
// CHECK: ktdf.data_transfer from %[[P]]#3 size [64] to %[[P]]#1[0] size [64]
// CHECK: applicable_units = ["L1SU"]
// CHECK: ktdf.data_transfer from %[[P]]#1[0] size [64] to %arg1[%{{.*}} * 64] size [64]
// CHECK: applicable_units = ["MNISU"]
func.func @copy(%a: memref<256xf16, "DDR">, %b: memref<256xf16, "DDR">) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    ktdf.pipeline {
      %p:4 = ktdf.private -> (!ktdf.fifo.slot<"DDR" -> "SFU", 64xf16>, !ktdf.fifo.slot<"SFU" -> "DDR", 64xf16>, !ktdf.token, !ktdf.token) {
        %0 = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"DDR" -> "SFU", 64xf16>
        %1 = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"SFU" -> "DDR", 64xf16>
        %2 = ktdf.create_token : !ktdf.token
        %3 = ktdf.create_token : !ktdf.token
        ktdf.private_yield %0, %1, %2, %3 : !ktdf.fifo.slot<"DDR" -> "SFU", 64xf16>, !ktdf.fifo.slot<"SFU" -> "DDR", 64xf16>, !ktdf.token, !ktdf.token
      }
      ktdf.stage depends_in(none) depends_out(%p#2) {
        ktdf.data_transfer from %a[%i * 64] size [64] to %p#0 size [64] : memref<256xf16, "DDR">, !ktdf.fifo.slot<"DDR" -> "SFU", 64xf16>
      }
      ktdf.stage depends_in(%p#2) depends_out(%p#3) {
        %0 = ktdf.read_from_fifo %p#0 : <"DDR" -> "SFU", 64xf16> -> tensor<64xf16>
        ktdf.write_to_fifo %0, %p#1 : tensor<64xf16>, <"SFU" -> "DDR", 64xf16>
      } {applicable_units = ["SFU"]}
      ktdf.stage depends_in(%p#3) depends_out(none) {
        ktdf.data_transfer from %p#1 size [64] to %b[%i * 64] size [64] : !ktdf.fifo.slot<"SFU" -> "DDR", 64xf16>, memref<256xf16, "DDR">
      }
    }
  } {loop_type = #ktdf.loop_type<parallel_loop>}
  return
}
