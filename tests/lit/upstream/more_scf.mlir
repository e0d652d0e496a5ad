// More forms of scf; an independent MLIR accepts and prints each of them the same way.
// RUN: %headrace-opt %s --allow-unregistered-dialect > %t.1
// RUN: %headrace-opt %t.1 --allow-unregistered-dialect > %t.2 && diff %t.1 %t.2
// RUN: %headrace-opt %s --allow-unregistered-dialect --mlir-print-op-generic | %headrace-opt --allow-unregistered-dialect > %t.3 && diff %t.1 %t.3
// RUN: %headrace-opt %s --allow-unregistered-dialect --mlir-print-debuginfo | %headrace-opt --allow-unregistered-dialect > %t.4 && diff %t.1 %t.4

func.func @f0(%i: index, %j: index) {
  scf.for %k = %i to %j step %i { }
  return
}

func.func @f1(%a: i32, %b: i32) {
  scf.for %k = %a to %b step %a : i32 { }
  return
}

func.func @f2(%x: f32, %i: index, %j: index) {
  %r = scf.for %k = %i to %j step %i iter_args(%q = %x) -> (f32) { scf.yield %q : f32 }
  return
}

func.func @f3(%x: f32, %i: index, %j: index) {
  %r = scf.for %k = %i to %j step %i iter_args(%q = %x) -> f32 { scf.yield %q : f32 }
  return
}

func.func @f4(%a: i32, %b: i32, %x: f32, %c: i1) {
  %r:2 = scf.for %k = %a to %b step %a iter_args(%q = %x, %p = %c) -> (f32, i1) : i32 { scf.yield %q, %p : f32, i1 }
  return
}

func.func @f5(%i: index, %j: index) {
  scf.for unsigned %k = %i to %j step %i { }
  return
}

func.func @f6(%i: index, %j: index) {
  scf.for %k = %i to %j step %i { "test.x"() : () -> () }
  return
}

func.func @f7(%i: index, %j: index) {
  scf.for %k = %i to %j step %i { scf.yield } {foo.x = 1 : i32}
  return
}

func.func @f8(%c: i1) {
  scf.if %c { }
  return
}

func.func @f9(%c: i1) {
  scf.if %c { scf.yield } else { scf.yield }
  return
}

func.func @f10(%x: f32, %c: i1) {
  %r = scf.if %c -> (f32) { scf.yield %x : f32 } else { scf.yield %x : f32 }
  return
}

func.func @f11(%x: f32, %c: i1) {
  %r = scf.if %c -> f32 { scf.yield %x : f32 } else { scf.yield %x : f32 }
  return
}

func.func @f12(%c: i1) {
  scf.if %c { } else { "test.x"() : () -> () }
  return
}

func.func @f13(%c: i1) {
  "scf.if"(%c) ({ scf.yield }, {}) : (i1) -> ()
  return
}

func.func @f14(%c: i1) {
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  return
}

func.func @f15(%a: i32, %x: f32, %c: i1) {
  %r = scf.while (%q = %a) : (i32) -> f32 { scf.condition(%c) %x : f32 } do {
    ^bb0(%p: f32):
      scf.yield %a : i32
    }
  return
}

func.func @f16(%x: f32) {
  %r = scf.execute_region -> f32 { scf.yield %x : f32 }
  return
}

func.func @f17() {
  scf.execute_region { cf.br ^bb1
    ^bb1:
    scf.yield }
  return
}

func.func @f18() {
  scf.execute_region no_inline { scf.yield }
  return
}

func.func @f19(%x: f32, %i: index) {
  %r = scf.index_switch %i -> f32
    case 2 { scf.yield %x : f32 }
    default { scf.yield %x : f32 }
  return
}

func.func @f20(%i: index) {
  scf.index_switch %i
    default { }
  return
}

func.func @f21(%i: index, %j: index) {
  scf.parallel (%k) = (%i) to (%j) step (%i) { }
  return
}

func.func @f22(%i: index, %j: index) {
  scf.parallel (%k, %n) = (%i, %i) to (%j, %j) step (%i, %i) { scf.reduce }
  return
}

func.func @f23(%x: f32, %i: index, %j: index) {
  %r = scf.parallel (%k) = (%i) to (%j) step (%i) init (%x) -> f32 {
      scf.reduce(%x : f32) {
      ^bb0(%p: f32, %q: f32):
        %s = arith.addf %p, %q : f32
        scf.reduce.return %s : f32
      }
    }
  return
}

func.func @f24(%a: i32, %x: f32, %i: index, %j: index) {
  %r:2 = scf.parallel (%k) = (%i) to (%j) step (%i) init (%x, %a) -> (f32, i32) {
      scf.reduce(%x, %a : f32, i32) {
      ^bb0(%p: f32, %q: f32):
        scf.reduce.return %p : f32
      }, {
      ^bb0(%p: i32, %q: i32):
        scf.reduce.return %p : i32
      }
    }
  return
}

func.func @f25() {
  scf.forall (%k) in (4) { }
  return
}

func.func @f26(%i: index) {
  scf.forall (%k, %n) in (%i, 4) { scf.forall.in_parallel { } }
  return
}

func.func @f27(%j: index) {
  scf.forall (%k) = (0) to (%j) step (2) { }
  return
}
