// Forms of the scf operations, compared with an independent MLIR in tests/ir/test_independent_mlir.py.
// RUN: %headrace-opt %s --allow-unregistered-dialect > %t.1
// RUN: %headrace-opt %t.1 --allow-unregistered-dialect > %t.2 && diff %t.1 %t.2
// RUN: %headrace-opt %s --allow-unregistered-dialect --mlir-print-op-generic | %headrace-opt --allow-unregistered-dialect > %t.3 && diff %t.1 %t.3
// RUN: %headrace-opt %s --allow-unregistered-dialect --mlir-print-debuginfo | %headrace-opt --allow-unregistered-dialect > %t.4 && diff %t.1 %t.4

func.func @f(%n: index, %c: i1, %x: f32, %t: tensor<8x4xf32>, %i32: i32) -> tensor<8x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %i step %c1 { }
  } {a = 1 : i32}
  scf.for unsigned %i = %i32 to %i32 step %i32 : i32 { }
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %c0) -> (f32, index) {
    scf.yield %a, %i : f32, index
  }
  %w:2 = scf.while (%a = %x, %b = %c0) : (f32, index) -> (f32, index) {
    scf.condition(%c) %a, %b : f32, index
  } do {
  ^bb0(%p: f32, %q: index):
    scf.yield %p, %q : f32, index
  } attributes {tag}
  scf.while : () -> () {
    scf.condition(%c)
  } do {
    scf.yield
  }
  %s = scf.index_switch %n -> f32
  case 2 {
    scf.yield %x : f32
  }
  case 5 {
    scf.yield %x : f32
  }
  default {
    scf.yield %x : f32
  }
  scf.index_switch %n
  case 2 {
    scf.yield
  }
  default {
  }
  %f = scf.forall (%i, %j) in (%n, 4) shared_outs(%o = %t) -> (tensor<8x4xf32>) {
    %e = tensor.extract_slice %t[%i, %j] [1, 1] [1, 1] : tensor<8x4xf32> to tensor<1x1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %o[%i, %j] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<8x4xf32>
    }
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  scf.forall (%i) = (0) to (8) step (2) {
    func.call @g(%i) : (index) -> ()
  }
  scf.forall (%i, %j) = (%c0, 0) to (8, %n) step (2, %c1) {
  }
  scf.forall (%i) in (4) {
  } {x = 1 : i64}
  %p:2 = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%x, %c0) -> (f32, index) {
    scf.reduce(%x, %i : f32, index) {
    ^bb0(%a: f32, %b: f32):
      %z = arith.addf %a, %b : f32
      scf.reduce.return %z : f32
    }, {
    ^bb0(%a: index, %b: index):
      %z = arith.addi %a, %b : index
      scf.reduce.return %z : index
    }
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.reduce
  } {k = 2 : i64}
  %e:2 = scf.execute_region -> (f32, index) {
    cf.br ^bb1
  ^bb1:
    scf.yield %x, %n : f32, index
  }
  scf.execute_region {
    scf.yield
  }
  scf.execute_region no_inline {
    scf.yield
  }
  scf.if %c {
    scf.if %c { } else { } 
  } else {
    func.call @g(%c0) : (index) -> ()
  } {b}
  %q:2 = scf.if %c -> (f32, index) {
    scf.yield %x, %n : f32, index
  } else {
    scf.yield %x, %c0 : f32, index
  }
  return %f : tensor<8x4xf32>
}
func.func private @g(index)
