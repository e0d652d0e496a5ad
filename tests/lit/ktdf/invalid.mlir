// RUN: %headrace-opt %s --split-input-file --verify-diagnostics

func.func @f() {
  // expected-error @+1 {{minimum value is 1}}
  ktdf.pipeline modulo(size : 0) {
    ktdf.stage depends_in(none) depends_out(none) {
      %c = arith.constant 0 : index
    }
  }
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{attribute 'modulo' failed to satisfy constraint: 64-bit signless integer attribute}}
  "ktdf.pipeline"() <{modulo = 2 : i32}> ({
    "ktdf.stage"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
    ^bb0:
    }) : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'ktdf.stage' op expects parent op 'ktdf.pipeline'}}
  ktdf.stage depends_in(none) depends_out(none) { }
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'ktdf.pipeline' op region #0 ('body') failed to verify constraint: region with 1 blocks}}
  ktdf.pipeline { }
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{immediate children must be 'ktdf.stage' or 'ktdf.private' ops}}
  ktdf.pipeline {
    %c = arith.constant 0 : index
  }
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{at most one immediate 'ktdf.private' child is allowed}}
  ktdf.pipeline {
    ktdf.private {
    }
    ktdf.private {
    }
  }
  return
}

// -----

func.func @f(%t: !ktdf.token) {
  ktdf.pipeline {
    // expected-error @+1 {{depends_in operand must originate from}}
  ktdf.stage depends_in(%t) depends_out(none) {
      %c = arith.constant 0 : index
    }
  }
  return
}

// -----

func.func @f(%t: !ktdf.token) {
  ktdf.pipeline {
    // expected-error @+1 {{depends_out operand must originate from}}
  ktdf.stage depends_in(none) depends_out(%t) {
      %c = arith.constant 0 : index
    }
  }
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'ktdf.stage' op}}
  ktdf.stage depends_in(none) depends_out(none) {
    %c = arith.constant 0 : index
  }
  return
}

// -----

func.func @f() {
  ktdf.pipeline {
    // expected-error @+1 {{yield operands count (0) must match the number of results (1)}}
  %r = ktdf.private -> (index) {
      ktdf.private_yield
    }
  }
  return
}

// -----

func.func @f(%i: i32) {
  ktdf.pipeline {
    // expected-error @+1 {{yield operand type i32}}
  %r = ktdf.private -> (index) {
      ktdf.private_yield %i : i32
    }
  }
  return
}

// -----

func.func @f(%n: index) {
  // expected-error @+1 {{number of dynamic size operands (1)}}
  %f = ktdf.fifo.allocate(%n) -> !ktdf.fifo.slot<"A" -> "B", 4xf16>
  return
}

// -----

func.func @f(%s: !ktdf.fifo.slot<"A" -> "B", 4xf16>, %d: !ktdf.fifo.slot<"A" -> "B", ?xf16>, %m: memref<2x2xf16>, %g: memref<4xf32>, %i: index) {
  // expected-error @+1 {{data total elements (8)}}
  %r = ktdf.read_from_fifo %s : <"A" -> "B", 4xf16> -> tensor<8xf16>
  return
}

// -----

func.func @f(%s: !ktdf.fifo.slot<"A" -> "B", 4xf16>, %d: !ktdf.fifo.slot<"A" -> "B", ?xf16>, %m: memref<2x2xf16>, %g: memref<4xf32>, %i: index) {
  // expected-error @+1 {{must both be dynamic or both be static}}
  %r = ktdf.read_from_fifo %d : <"A" -> "B", ?xf16> -> tensor<8xf16>
  return
}

// -----

func.func @f(%s: !ktdf.fifo.slot<"A" -> "B", 4xf16>, %d: !ktdf.fifo.slot<"A" -> "B", ?xf16>, %m: memref<2x2xf16>, %g: memref<4xf32>, %i: index) {
  // expected-error @+1 {{element type f32 of the data}}
  ktdf.write_to_fifo %g, %s : memref<4xf32>, <"A" -> "B", 4xf16>
  return
}

// -----

func.func @f(%s: !ktdf.fifo.slot<"A" -> "B", 4xf16>, %d: !ktdf.fifo.slot<"A" -> "B", ?xf16>, %m: memref<2x2xf16>, %g: memref<4xf32>, %i: index) {
  // expected-error @+1 {{source element type f32}}
  ktdf.data_transfer from %g[0] size [4] to %s size [4] : memref<4xf32>, !ktdf.fifo.slot<"A" -> "B", 4xf16>
  return
}

// -----

func.func @f(%s: !ktdf.fifo.slot<"A" -> "B", 4xf16>, %d: !ktdf.fifo.slot<"A" -> "B", ?xf16>, %m: memref<2x2xf16>, %g: memref<4xf32>, %i: index) {
  // expected-error @+1 {{source_map must be present}}
  ktdf.data_transfer from %m size [2, 2] to %s size [4] : memref<2x2xf16>, !ktdf.fifo.slot<"A" -> "B", 4xf16>
  return
}

// -----

func.func @f(%s: !ktdf.fifo.slot<"A" -> "B", 4xf16>, %d: !ktdf.fifo.slot<"A" -> "B", ?xf16>, %m: memref<2x2xf16>, %g: memref<4xf32>, %i: index) {
  // expected-error @+1 {{source memref has rank 2 but source_map has 1 results}}
  ktdf.data_transfer from %m[0] size [2, 2] to %s size [4] : memref<2x2xf16>, !ktdf.fifo.slot<"A" -> "B", 4xf16>
  return
}

// -----

func.func @f(%s: !ktdf.fifo.slot<"A" -> "B", 4xf16>, %d: !ktdf.fifo.slot<"A" -> "B", ?xf16>, %m: memref<2x2xf16>, %g: memref<4xf32>, %i: index) {
  // expected-error @+1 {{must have 0 symbols (dims-only)}}
  ktdf.data_transfer from %m[symbol(%i), 0] size [2, 2] to %s size [4] : memref<2x2xf16>, !ktdf.fifo.slot<"A" -> "B", 4xf16>
  return
}

// -----

func.func @f(%s: !ktdf.fifo.slot<"A" -> "B", 4xf16>, %d: !ktdf.fifo.slot<"A" -> "B", ?xf16>, %m: memref<2x2xf16>, %g: memref<4xf32>, %i: index) {
  // expected-error @+1 {{source size count (0)}}
  ktdf.data_transfer from %m[0, 0] to %s size [4] : memref<2x2xf16>, !ktdf.fifo.slot<"A" -> "B", 4xf16>
  return
}

// -----

func.func @f(%s: !ktdf.fifo.slot<"A" -> "B", 4xf16>, %d: !ktdf.fifo.slot<"A" -> "B", ?xf16>, %m: memref<2x2xf16>, %g: memref<4xf32>, %i: index) {
  // expected-error @+1 {{dest_map must be absent for fifo dest}}
  ktdf.data_transfer from %m[0, 0] size [2, 2] to %s[0] size [4] : memref<2x2xf16>, !ktdf.fifo.slot<"A" -> "B", 4xf16>
  return
}

// -----

func.func @f(%i: index) {
  // expected-error @+1 {{lower bounds, upper bounds and steps must have the same length}}
  ktdf.parallel (%a, %b) = (%i) to (%i, %i) step (%i) distribute(num_instances = 2) {
    ktdf.parallel_yield
  }
  return
}

// -----

func.func @f(%i: index) {
  // expected-error @+1 {{minimum value is 1}}
  ktdf.parallel (%a, %b) = (%i) to (%i) step (%i) distribute(num_instances = 0) {
    ktdf.parallel_yield
  }
  return
}

// -----

func.func @f(%i: index) {
  // expected-error @+1 {{}}
  ktdf.parallel (%a, %b) = (%i) to (%i) step (%i) distribute(num_instances = 2) {
    scf.yield
  }
  return
}

// -----

func.func @f(%i: index) {
  // expected-error @+1 {{requires at least one induction variable operand}}
  %p = ktdf.buffer_phase() {num_phases = 2 : i64} : index
  return
}

// -----

func.func @f(%i: index) {
  // expected-error @+1 {{minimum value is 2}}
  %p = ktdf.buffer_phase(%i) {num_phases = 1 : i64} : index
  return
}

// -----

func.func @f(%i: index, %a: memref<4xf16>, %b: memref<8xf16>) {
  // expected-error @+1 {{requires at least 2 candidate memrefs}}
  %p = ktdf.select_memref %i[%a] : memref<4xf16>
  return
}

// -----

func.func @f(%i: index, %a: memref<4xf16>, %b: memref<8xf16>) {
  %q = ktdf.buffer_phase(%i) {num_phases = 3 : i64} : index
  // expected-error @+1 {{phase op num_phases (3)}}
  %p = ktdf.select_memref %q[%a, %a] : memref<4xf16>
  return
}

// -----

func.func @f(%i: index, %a: memref<4xf16>, %b: memref<8xf16>) {
  // expected-error @+1 {{}}
  %p = "ktdf.select_memref"(%i, %a, %b) : (index, memref<4xf16>, memref<8xf16>) -> memref<4xf16>
  return
}

// -----

func.func @f(%i: index, %a: memref<4xf16>, %b: memref<8xf16>) {
  // expected-error @+1 {{must have at least one [iv : tile_size] pair}}
  %p = ktdf.tiling.derive_size total_size = %i : index
  return
}

// -----

func.func @f(%i: index, %a: memref<4xf16>, %b: memref<8xf16>) {
  // expected-error @+1 {{must have at least one [iv : stride] pair}}
  %p = ktdf.tiling.linearize_index : index
  return
}

// -----

func.func @f(%i: index, %a: memref<4xf16>, %b: memref<8xf16>) {
  // expected-error @+1 {{'ktdf.opaque' op expected the number of tensor results (1) to be equal to the number of output tensors (0)}}
  %p = ktdf.opaque "x" -> tensor<4xf16> ins() outs(%a : memref<4xf16>)
  return
}

// -----

// expected-error @+1 {{expected}}
func.func private @f(!ktdf.fifo.slot<RD -> ALU, 4xf16>)

// -----

// expected-error @+1 {{expected one element count}}
func.func private @f(!ktdf.fifo.slot<"RD" -> "ALU", f16>)
