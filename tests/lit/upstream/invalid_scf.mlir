// Refused operations of scf; an independent MLIR refuses each of them too.
// RUN: %headrace-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

func.func @f(%t: tensor<8x16xf32>, %z: tensor<4x16xf32>) {
  %r = scf.forall (%q) in (4) shared_outs(%o = %t) -> (tensor<8x16xf32>) {
    scf.forall.in_parallel {
      // expected-error @+1 {{'tensor.parallel_insert_slice' op expected type to be 'tensor<4x15xf32>' or a rank-reduced version. (size mismatch), but got 'tensor<4x16xf32>'}}
      tensor.parallel_insert_slice %z into %o[0, 0] [4, 15] [1, 1] : tensor<4x16xf32> into tensor<8x16xf32>
    }
    }
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %z: tensor<4x16xf32>) {
  %r = scf.forall (%q) in (4) shared_outs(%o = %t) -> (tensor<8x16xf32>) {
    scf.forall.in_parallel {
      // expected-error @+1 {{'tensor.parallel_insert_slice' op expected 2 offset values, got 1}}
      tensor.parallel_insert_slice %z into %o[0] [4] [1] : tensor<4x16xf32> into tensor<8x16xf32>
    }
    }
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %z: tensor<4x16xf32>) {
  %r = scf.forall (%q) in (4) shared_outs(%o = %t) -> (tensor<8x16xf32>) {
    scf.forall.in_parallel {
      // expected-error @+1 {{'tensor.parallel_insert_slice' op may only insert into an output block argument}}
      tensor.parallel_insert_slice %z into %t[0, 0] [4, 16] [1, 1] : tensor<4x16xf32> into tensor<8x16xf32>
    }
    }
  return
}

// -----

func.func @f(%a: i32, %i: index, %j: index) {
  // expected-error @+1 {{use of value '%a' expects different type than prior uses: 'index' vs 'i32'}}
  scf.for %k = %i to %j step %a { }
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'scf.for' op operand #0 ('lb') has the unexpected type f32}}
  scf.for %k = %x to %x step %x : f32 { }
  return
}

// -----

func.func @f(%x: f32, %i: index, %j: index) {
  // expected-error @+1 {{'scf.for' op 'scf.for' contains empty block instead of at least terminating with scf.yield}}
  %r = scf.for %k = %i to %j step %i iter_args(%q = %x) -> (f32) { }
  return
}

// -----

func.func @f(%x: f32, %i: index, %j: index) {
  // expected-error @+1 {{'scf.for' op scf.yield expected 1 args, but got 0. The scf.for must yield its loop-carried variables.}}
  %r = scf.for %k = %i to %j step %i iter_args(%q = %x) -> (f32) { scf.yield }
  return
}

// -----

func.func @f(%a: i32, %x: f32, %i: index, %j: index) {
  // expected-error @+1 {{'scf.for' op Expected yield arg #0 to be f32, but got i32. scf.yield of scf.for must match loop-carried variable types.}}
  %r = scf.for %k = %i to %j step %i iter_args(%q = %x) -> (f32) { scf.yield %a : i32 }
  return
}

// -----

func.func @f(%a: i32, %x: f32, %i: index, %j: index) {
  // expected-error @+1 {{use of value '%x' expects different type than prior uses: 'i32' vs 'f32'}}
  %r = scf.for %k = %i to %j step %i iter_args(%q = %x) -> (i32) { scf.yield %a : i32 }
  return
}

// -----

func.func @f(%a: i32, %i: index, %j: index) {
  // expected-error @+1 {{'scf.for' op scf.yield expected 0 args, but got 1. The scf.for must yield its loop-carried variables.}}
  scf.for %k = %i to %j step %i { scf.yield %a : i32 }
  return
}

// -----

func.func @f(%i: index, %j: index) {
  // expected-error @+1 {{'scf.for' op Expected induction var to be same type as bounds and step}}
  "scf.for"(%i, %j, %i) ({ ^bb0(%k: i32): scf.yield }) : (index, index, index) -> ()
  return
}

// -----

func.func @f(%i: index, %j: index) {
  // expected-error @+1 {{'scf.for' op expected 3 or more operands, but found 2}}
  "scf.for"(%i, %j) ({ ^bb0(%k: index): scf.yield }) : (index, index) -> ()
  return
}

// -----

func.func @f(%i: index, %j: index) {
  // expected-error @+1 {{'scf.for' op region #0 ('body') failed to verify constraint: region with 1 blocks}}
  "scf.for"(%i, %j, %i) ({ }) : (index, index, index) -> ()
  return
}

// -----

func.func @f(%i: index, %j: index) {
  // expected-error @+1 {{'scf.for' op 'scf.for' terminates with operation builtin.unregistered instead of scf.yield}}
  "scf.for"(%i, %j, %i) ({ ^bb0(%k: index): "test.x"() : () -> () }) : (index, index, index) -> ()
  return
}

// -----

func.func @f(%x: f32, %c: i1) {
  // expected-error @+1 {{'scf.if' op must have an else block if defining values}}
  %r = scf.if %c -> (f32) { scf.yield %x : f32 }
  return
}

// -----

func.func @f(%x: f32, %c: i1) {
  // expected-error @+1 {{'scf.if' op region control flow edge from Operation scf.yield to parent results: source has 0 operands, but target successor needs 1}}
  %r = scf.if %c -> (f32) { scf.yield %x : f32 } else { }
  return
}

// -----

func.func @f(%a: i32, %x: f32, %c: i1) {
  // expected-error @+1 {{'scf.if' op along control flow edge from Operation scf.yield to parent results: source type #0 'i32' should match input type #0 'f32'}}
  %r = scf.if %c -> (f32) { scf.yield %a : i32 } else { scf.yield %x : f32 }
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{use of value '%a' expects different type than prior uses: 'i1' vs 'i32'}}
  scf.if %a { }
  return
}

// -----

func.func @f(%c: i1) {
  // expected-error @+1 {{'scf.if' op region #0 ('true_region') failed to verify constraint: region with 1 blocks}}
  "scf.if"(%c) ({ }, {}) : (i1) -> ()
  return
}

// -----

func.func @f(%a: i32, %c: i1) {
  // expected-error @+1 {{'scf.while' op along control flow edge from Operation scf.condition to parent results: source type #0 'i32' should match input type #0 'f32'}}
  %r = scf.while (%q = %a) : (i32) -> f32 { scf.condition(%c) %a : i32 } do {
    ^bb0(%p: f32):
      scf.yield %a : i32
    }
  return
}

// -----

func.func @f(%a: i32, %x: f32, %c: i1) {
  // expected-error @+1 {{'scf.while' op along control flow edge from Operation scf.yield to Region #0: source type #0 'f32' should match input type #0 'i32'}}
  %r = scf.while (%q = %a) : (i32) -> f32 { scf.condition(%c) %x : f32 } do {
    ^bb0(%p: f32):
      scf.yield %x : f32
    }
  return
}

// -----

func.func @f(%a: i32, %x: f32) {
  // expected-error @+1 {{use of value '%a' expects different type than prior uses: 'i1' vs 'i32'}}
  %r = scf.while (%q = %a) : (i32) -> f32 { scf.condition(%a) %x : f32 } do {
    ^bb0(%p: f32):
      scf.yield %a : i32
    }
  return
}

// -----

func.func @f(%c: i1) {
  // expected-error @+1 {{'scf.condition' op expects parent op 'scf.while'}}
  scf.condition(%c)
}

// -----

func.func @f() {
  // expected-error @+1 {{'scf.yield' op expects parent op to be one of 'scf.for, scf.if, scf.execute_region, scf.while, scf.index_switch'}}
  scf.yield
}

// -----

func.func @f() {
  // expected-error @+1 {{'scf.execute_region' op region control flow edge from Operation scf.yield to parent results: source has 0 operands, but target successor needs 1}}
  %r = scf.execute_region -> f32 { scf.yield }
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'scf.execute_region' op region cannot have any arguments}}
  "scf.execute_region"() ({ ^bb0(%q: i32): scf.yield }) : () -> ()
  return
}

// -----

func.func @f(%i: index) {
  // expected-error @+1 {{'scf.index_switch' op has duplicate case value}}
  scf.index_switch %i
    case 2 { scf.yield }
    case 2 { scf.yield }
    default { scf.yield }
  return
}

// -----

func.func @f(%x: f32, %i: index) {
  // expected-error @+1 {{'scf.index_switch' op region 2 returns values of types () but expected (f32)}}
  %r = scf.index_switch %i -> f32
    case 2 { scf.yield }
    default { scf.yield %x : f32 }
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{use of value '%a' expects different type than prior uses: 'index' vs 'i32'}}
  scf.index_switch %a
    default { }
  return
}

// -----

func.func @f(%i: index, %j: index) {
  // expected-error @+1 {{'scf.parallel' op Expected the same number of lower bounds, upper bounds, and steps for scf.parallel. Got 1, 2 and 1.}}
  scf.parallel (%k) = (%i) to (%j, %j) step (%i) { }
  return
}

// -----

func.func @f(%x: f32, %i: index, %j: index) {
  // expected-error @+1 {{'scf.parallel' op Expected 1 reductions but 0 provided}}
  %r = scf.parallel (%k) = (%i) to (%j) step (%i) init (%x) -> f32 { }
  return
}

// -----

func.func @f(%x: f32, %i: index, %j: index) {
  %r = scf.parallel (%k) = (%i) to (%j) step (%i) init (%x) -> f32 {
      // expected-error @+1 {{'scf.reduce' op scf.reduce block argument types must be the same but have f32 and i32}}
      scf.reduce(%x : f32) {
      ^bb0(%p: f32, %q: i32):
        scf.reduce.return %p : f32
      }
    }
  return
}

// -----

func.func @f(%a: i32, %x: f32, %i: index, %j: index) {
  %r = scf.parallel (%k) = (%i) to (%j) step (%i) init (%x) -> f32 {
      // expected-error @+1 {{'scf.reduce' op scf.reduce.return result type at end of scf.reduce block must match the reduction operand type but have i32 and f32}}
      scf.reduce(%x : f32) {
      ^bb0(%p: f32, %q: f32):
        scf.reduce.return %a : i32
      }
    }
  return
}

// -----

func.func @f(%x: f32, %i: index, %j: index) {
  // expected-error @+1 {{use of value '%x' expects different type than prior uses: 'i32' vs 'f32'}}
  %r = scf.parallel (%k) = (%i) to (%j) step (%i) init (%x) -> i32 { scf.reduce }
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'scf.reduce' op expects parent op 'scf.parallel'}}
  scf.reduce
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'scf.reduce.return' op expects parent op 'scf.reduce'}}
  scf.reduce.return %x : f32
}

// -----

func.func @f(%t: tensor<8xf32>) {
  // expected-error @+1 {{use of value '%t' expects different type than prior uses: 'tensor<9xf32>' vs 'tensor<8xf32>'}}
  %r = scf.forall (%k) in (8) shared_outs(%o = %t) -> (tensor<9xf32>) { scf.forall.in_parallel { } }
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'scf.forall' op expected one region argument for each dimension and each output}}
  scf.forall (%k) in (4, 5) { }
  return
}

// -----

func.func @f(%a: i32, %b: i32) {
  // expected-error @+1 {{'scf.forall.in_parallel' op expected only ParallelCombiningOpInterface ops, but found 'arith.addi'}}
  scf.forall (%k) in (4) { scf.forall.in_parallel { %z = arith.addi %a, %b : i32 } }
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'scf.forall.in_parallel' op expects parent op 'scf.forall'}}
  scf.forall.in_parallel { }
}

// -----

func.func @f(%a: i32, %c: i1) {
  scf.if %c { %v = arith.addi %a, %a : i32 }
    // expected-error @+1 {{use of undeclared SSA value name '%v'}}
    %w = arith.addi %v, %v : i32
  return
}

// -----

func.func @f(%a: i32, %i: index, %j: index) {
  // expected-error @+1 {{operand #0 does not dominate this use}}
  scf.for %k = %i to %j step %i { %w = arith.addi %v, %v : i32 }
    %v = arith.addi %a, %a : i32
  return
}

// -----

func.func @f(%a: i32, %c: i1) {
  scf.if %c {
    // expected-error @+1 {{operand #0 does not dominate this use}}
    %w = arith.addi %v, %a : i32
  } else {
    %v = arith.addi %a, %a : i32
  }
  return
}

// -----

func.func @f(%i: index, %t: tensor<4xf16>) {
  // expected-error @+1 {{types mismatch between 0th iter operand and defined value}}
  %0 = "scf.for"(%i, %i, %i, %t) ({
  ^bb0(%k: index, %s: tensor<4xf16>):
    scf.yield %s : tensor<4xf16>
  }) : (index, index, index, tensor<4xf16>) -> tensor<0xf16>
  return
}

// -----

func.func @f(%i: index, %t: tensor<4xf16>) {
  // expected-error @+1 {{type mismatch between 0-th output and corresponding result}}
  %0 = "scf.forall"(%t) <{operandSegmentSizes = array<i32: 0, 0, 0, 1>, staticLowerBound = array<i64: 0>, staticUpperBound = array<i64: 4>, staticStep = array<i64: 1>}> ({
  ^bb0(%k: index, %s: tensor<4xf16>):
    scf.forall.in_parallel { }
  }) : (tensor<4xf16>) -> tensor<5xf16>
  return
}

// -----

func.func @f(%c: i1) {
  // expected-error @+1 {{'scf.if' op region #0 should have no arguments}}
  "scf.if"(%c) ({
  ^bb0(%i: index):
    scf.yield
  }, {}) : (i1) -> ()
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'scf.parallel' op needs at least one tuple element for lowerBound, upperBound and step}}
  scf.parallel () = () to () step () {
  }
  return
}

// -----

func.func @f(%a: index) {
  %z = arith.constant 0 : index
  // expected-error @+1 {{'scf.parallel' op constant step operand must be positive}}
  scf.parallel (%i) = (%a) to (%a) step (%z) {
  }
  return
}
