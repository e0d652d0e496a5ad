// RUN: %headrace-opt %s --allow-unregistered-dialect | %headrace-opt --allow-unregistered-dialect | %filecheck %s
// RUN: %headrace-opt %s --allow-unregistered-dialect --mlir-print-op-generic | %headrace-opt --allow-unregistered-dialect | %filecheck %s

// CHECK-LABEL: func.func @pipeline
func.func @pipeline(%x: memref<8x4xf32, "MAIN">, %y: memref<f32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    // CHECK: ktdf.pipeline modulo(size : 2) {
    ktdf.pipeline modulo(size: 2) {
      // CHECK-NEXT: %{{.*}}:4 = ktdf.private -> (memref<1x4xf32, "PAD">, !ktdf.fifo.slot<"RD" -> "ALU", 4xf32>, !ktdf.fifo.slot<#ktdp.memory_space<global> -> "ALU", ?xf32>, !ktdf.token) {
      %r:4 = ktdf.private -> (memref<1x4xf32, "PAD">, !ktdf.fifo.slot<"RD"->"ALU", 4 x f32>, !ktdf.fifo.slot<#ktdp.memory_space<global> -> "ALU", ?xf32>, !ktdf.token) {
        %a = memref.alloc() : memref<1x4xf32, "PAD">
        // CHECK: %{{.*}}:2 = ktdf.fifo.allocate(%{{.*}}) -> !ktdf.fifo.slot<"RD" -> "ALU", 4xf32>, !ktdf.fifo.slot<#ktdp.memory_space<global> -> "ALU", ?xf32>
        %f:2 = ktdf.fifo.allocate(%n) -> !ktdf.fifo.slot<"RD" -> "ALU", 4xf32>, !ktdf.fifo.slot<#ktdp.memory_space<global> -> "ALU", ?xf32>
        // CHECK: ktdf.create_token : !ktdf.token
        %t = ktdf.create_token : !ktdf.token
        // CHECK: ktdf.private_yield %{{.*}}, %{{.*}}#0, %{{.*}}#1, %{{.*}} : memref<1x4xf32, "PAD">, !ktdf.fifo.slot<"RD" -> "ALU", 4xf32>
        ktdf.private_yield %a, %f#0, %f#1, %t : memref<1x4xf32, "PAD">, !ktdf.fifo.slot<"RD" -> "ALU", 4xf32>, !ktdf.fifo.slot<#ktdp.memory_space<global> -> "ALU", ?xf32>, !ktdf.token
      } attributes {note = "kept"}
      // CHECK: attributes {note = "kept"}
      // CHECK-NEXT: ktdf.stage depends_in(none) depends_out(%{{.*}}#3) {
      ktdf.stage depends_in(none) depends_out(%r#3) {
        // CHECK: ktdf.data_transfer from %{{.*}}[%[[I:.*]] * 2 + 1, 0] size [1, %{{.*}}] to %{{.*}}#0[0, 0] size [1, 4] {transfer_mode = "splat"} : memref<8x4xf32, "MAIN">, memref<1x4xf32, "PAD">
        ktdf.data_transfer from %x[2 * %i + 1, 0] size [1, %n] to %r#0[0, 0] size [1, 4] {transfer_mode = "splat"} : memref<8x4xf32, "MAIN">, memref<1x4xf32, "PAD">
        // CHECK: ktdf.data_transfer from %{{.*}}#0[0, 0] size [1, 4] to %{{.*}}#1 size [4] : memref<1x4xf32, "PAD">, !ktdf.fifo.slot<"RD" -> "ALU", 4xf32>
        ktdf.data_transfer from %r#0[0, 0] size [1, 4] to %r#1 size [4] : memref<1x4xf32, "PAD">, !ktdf.fifo.slot<"RD" -> "ALU", 4xf32>
        // CHECK: ktdf.data_transfer from %{{.*}}[] to %{{.*}}[] : memref<f32>, memref<f32>
        ktdf.data_transfer from %y[] to %y[] : memref<f32>, memref<f32>
      } {applicable_units = ["DIN"]}
      // CHECK: } {applicable_units = ["DIN"]}
      // CHECK-NEXT: ktdf.stage depends_in(%{{.*}}#3) depends_out(none) {
      ktdf.stage depends_in(%r#3) depends_out(none) {
        // CHECK: ktdf.read_from_fifo %{{.*}}#1 : <"RD" -> "ALU", 4xf32> -> tensor<1x4xf32>
        %v = ktdf.read_from_fifo %r#1 : !ktdf.fifo.slot<"RD" -> "ALU", 4xf32> -> tensor<1x4xf32>
        // CHECK: ktdf.write_to_fifo %{{.*}}, %{{.*}}#1 : tensor<1x4xf32>, <"RD" -> "ALU", 4xf32>
        ktdf.write_to_fifo %v, %r#1 : tensor<1x4xf32>, <"RD" -> "ALU", 4xf32>
      }
    }
  } {loop_type = #ktdf.loop_type<parallel_loop>}
  // CHECK: } {loop_type = #ktdf.loop_type<parallel_loop>}
  return
}

// CHECK-LABEL: func.func @sizes
func.func @sizes(%n: index, %i: index, %a: memref<4xf16, "L1">, %b: memref<4xf16, "L1">) {
  %c1 = arith.constant 1 : index
  // CHECK: %[[TS:.*]] = ktdf.tiling.reserve_size {divisibility = 1 : index, min_value = 1 : index} : index
  %ts = ktdf.tiling.reserve_size {min_value = 1 : index, divisibility = 1 : index} : index
  // CHECK: ktdf.tiling.derive_size [%{{.*}} : %[[TS]]], [%{{.*}} : %{{.*}}], total_size = %{{.*}} : index
  %d = ktdf.tiling.derive_size [%i : %ts] [%i : %c1] , total_size = %n : index
  // CHECK: ktdf.tiling.linearize_index [%{{.*}} : %[[TS]]], [%{{.*}} : %{{.*}}] : index
  %l = ktdf.tiling.linearize_index [%i : %ts], [%d : %c1] : index
  // CHECK: ktdf.buffer_phase(%{{.*}}, %{{.*}}) {num_phases = 2 : i64} : index
  %p = ktdf.buffer_phase(%i, %l) {num_phases = 2 : i64} : index
  // CHECK: ktdf.select_memref %{{.*}}[%{{.*}}, %{{.*}}] : memref<4xf16, "L1">
  %m = ktdf.select_memref %p[%a, %b] : memref<4xf16, "L1">
  // CHECK: ktdf.parallel (%{{.*}}, %{{.*}}, %{{.*}}) = (%{{.*}}, %{{.*}}) to (%{{.*}}, %{{.*}}) step (%{{.*}}, %{{.*}}) distribute(num_instances = 2) {
  ktdf.parallel (%x, %y, %inst) = (%c1, %c1) to (%n, %n) step (%c1, %c1) distribute(num_instances = 2) {
    "test.use"(%x, %inst) : (index, index) -> ()
    // CHECK: ktdf.parallel_yield
    ktdf.parallel_yield
  } {note}
  // CHECK: } {note}
  %e = tensor.empty() : tensor<4xf16>
  // CHECK: %{{.*}} = ktdf.opaque "mul" {k = 1 : i64} -> tensor<4xf16> ins(%{{.*}}, %{{.*}} : index, memref<4xf16, "L1">) outs(%{{.*}} : tensor<4xf16>)
  %o = ktdf.opaque "mul" {k = 1 : i64} -> tensor<4xf16> ins(%n, %a : index, memref<4xf16, "L1">) outs(%e : tensor<4xf16>)
  // CHECK: ktdf.opaque "copy" ins() outs(%{{.*}} : memref<4xf16, "L1">)
  ktdf.opaque "copy" ins() outs(%a : memref<4xf16, "L1">)
  return
}

// CHECK-LABEL: func.func @slots
// CHECK-SAME: !ktdf.fifo.slot<"A" -> "B", 0xf16>
// CHECK-SAME: !ktdf.fifo.slot<"A" -> "B", -4xf16>
func.func @slots(%a: !ktdf.fifo.slot<"A" -> "B", 0xf16>, %b: !ktdf.fifo.slot<"A" -> "B", -4 x f16>) {
  // CHECK: ktdf.private {
  ktdf.pipeline {
    ktdf.private { }
  }
  return
}

// CHECK-LABEL: func.func @template_names
func.func @template_names(%t: tensor<4xf16>) {
  // CHECK: {{%mul|%[0-9]+}} = ktdf.opaque "mul"
  %0 = ktdf.opaque "mul" -> tensor<4xf16> ins() outs(%t : tensor<4xf16>)
  return
}
