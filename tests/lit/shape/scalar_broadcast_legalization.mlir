// RUN: headrace-opt --scalar-broadcast-legalization %s | filecheck %s

// One element for the whole vector: the load unit repeats it over the FIFO slot, and the operand becomes a full vector.

ktdf_arch.device @sample import("sample.mlir")

// CHECK-LABEL: func.func @scale(
// CHECK: ktdf.data_transfer from %arg1[0] size [1] to %[[S:.*]] size [64] {transfer_mode = "splat"}
// CHECK: ktdf.read_from_fifo %[[S]] : <"L1LU" -> "SFU", 64xf16> -> tensor<64xf16>
// CHECK: linalg.generic {indexing_maps = [#[[ID:.*]], #[[ID]], #[[ID]]]
func.func @scale(%a: memref<64xf16, "L1">, %s: memref<1xf16, "L1">) attributes {grid = [1]} {
  ktdf.pipeline {
    %p:4 = ktdf.private -> (!ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>, !ktdf.fifo.slot<"L1LU" -> "SFU", 1xf16>, !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>, !ktdf.token) {
      %0, %1 = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>, !ktdf.fifo.slot<"L1LU" -> "SFU", 1xf16>
      %2 = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>
      %3 = ktdf.create_token : !ktdf.token
      ktdf.private_yield %0, %1, %2, %3 : !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>, !ktdf.fifo.slot<"L1LU" -> "SFU", 1xf16>, !ktdf.fifo.slot<"SFU" -> "L1SU", 64xf16>, !ktdf.token
    }
    ktdf.stage depends_in(none) depends_out(%p#3) {
      ktdf.data_transfer from %a[0] size [64] to %p#0 size [64] : memref<64xf16, "L1">, !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf16>
      ktdf.data_transfer from %s[0] size [1] to %p#1 size [1] : memref<1xf16, "L1">, !ktdf.fifo.slot<"L1LU" -> "SFU", 1xf16>
    } {applicable_units = ["L1LU"]}
    ktdf.stage depends_in(%p#3) depends_out(none) {
      %x = ktdf.read_from_fifo %p#0 : <"L1LU" -> "SFU", 64xf16> -> tensor<64xf16>
      %y = ktdf.read_from_fifo %p#1 : <"L1LU" -> "SFU", 1xf16> -> tensor<1xf16>
      %e = tensor.empty() : tensor<64xf16>
      %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (0)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x, %y : tensor<64xf16>, tensor<1xf16>) outs(%e : tensor<64xf16>) {
      ^bb0(%u: f16, %v: f16, %o: f16):
        %m = arith.mulf %u, %v : f16
        linalg.yield %m : f16
      } -> tensor<64xf16>
      ktdf.write_to_fifo %r, %p#2 : tensor<64xf16>, <"SFU" -> "L1SU", 64xf16>
    } {applicable_units = ["SFU"]}
  }
  return
}
