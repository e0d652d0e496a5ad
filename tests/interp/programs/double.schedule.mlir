// Doubling over the toy device, one vector per iteration, after path expansion.
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @local_schedule_0(%x: memref<8x4xf32, "MAIN">, %y: memref<8x4xf32, "MAIN">) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    ktdf.pipeline {
      %r:8 = ktdf.private -> (memref<1x4xf32, "PAD">, memref<1x4xf32, "PAD">,
                              !ktdf.fifo.slot<"RD" -> "ALU", 4xf32>, !ktdf.fifo.slot<"ALU" -> "WR", 4xf32>,
                              !ktdf.token, !ktdf.token, !ktdf.token, !ktdf.token) {
        %a = memref.alloc() : memref<1x4xf32, "PAD">
        %b = memref.alloc() : memref<1x4xf32, "PAD">
        %f = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"RD" -> "ALU", 4xf32>
        %g = ktdf.fifo.allocate() -> !ktdf.fifo.slot<"ALU" -> "WR", 4xf32>
        %t0 = ktdf.create_token : !ktdf.token
        %t1 = ktdf.create_token : !ktdf.token
        %t2 = ktdf.create_token : !ktdf.token
        %t3 = ktdf.create_token : !ktdf.token
        ktdf.private_yield %a, %b, %f, %g, %t0, %t1, %t2, %t3
          : memref<1x4xf32, "PAD">, memref<1x4xf32, "PAD">, !ktdf.fifo.slot<"RD" -> "ALU", 4xf32>,
            !ktdf.fifo.slot<"ALU" -> "WR", 4xf32>, !ktdf.token, !ktdf.token, !ktdf.token, !ktdf.token
      }
      ktdf.stage depends_in(none) depends_out(%r#4) {
        ktdf.data_transfer from %x[%i, 0] size [1, 4] to %r#0[0, 0] size [1, 4]
          : memref<8x4xf32, "MAIN">, memref<1x4xf32, "PAD">
      } {applicable_units = ["DIN"]}
      ktdf.stage depends_in(%r#4) depends_out(%r#5) {
        ktdf.data_transfer from %r#0[0, 0] size [1, 4] to %r#2 size [4]
          : memref<1x4xf32, "PAD">, !ktdf.fifo.slot<"RD" -> "ALU", 4xf32>
      } {applicable_units = ["RD"]}
      ktdf.stage depends_in(%r#5) depends_out(%r#6) {
        %v = ktdf.read_from_fifo %r#2 : <"RD" -> "ALU", 4xf32> -> tensor<1x4xf32>
        %e = tensor.empty() : tensor<1x4xf32>
        %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
               ins(%v : tensor<1x4xf32>) outs(%e : tensor<1x4xf32>) {
        ^bb0(%p: f32, %q: f32):
          %s = arith.addf %p, %p : f32
          linalg.yield %s : f32
        } -> tensor<1x4xf32>
        ktdf.write_to_fifo %w, %r#3 : tensor<1x4xf32>, <"ALU" -> "WR", 4xf32>
      } {applicable_units = ["ALU"]}
      ktdf.stage depends_in(%r#6) depends_out(%r#7) {
        ktdf.data_transfer from %r#3 size [4] to %r#1[0, 0] size [1, 4]
          : !ktdf.fifo.slot<"ALU" -> "WR", 4xf32>, memref<1x4xf32, "PAD">
      } {applicable_units = ["WR"]}
      ktdf.stage depends_in(%r#7) depends_out(none) {
        ktdf.data_transfer from %r#1[0, 0] size [1, 4] to %y[%i, 0] size [1, 4]
          : memref<1x4xf32, "PAD">, memref<8x4xf32, "MAIN">
      } {applicable_units = ["DOUT"]}
    }
  } {loop_type = #ktdf.loop_type<parallel_loop>}
  return
}
