// Forms of the builtin operations, compared with an independent MLIR in tests/ir/test_independent_mlir.py.
// RUN: %headrace-opt %s --allow-unregistered-dialect > %t.1
// RUN: %headrace-opt %t.1 --allow-unregistered-dialect > %t.2 && diff %t.1 %t.2
// RUN: %headrace-opt %s --allow-unregistered-dialect --mlir-print-op-generic | %headrace-opt --allow-unregistered-dialect > %t.3 && diff %t.1 %t.3
// RUN: %headrace-opt %s --allow-unregistered-dialect --mlir-print-debuginfo | %headrace-opt --allow-unregistered-dialect > %t.4 && diff %t.1 %t.4

#map = affine_map<(d0) -> (d0)>
module @top attributes {dlti.x = 1 : i64} {
  func.func private @ext(index {a.b = 1 : i64}, memref<4xf32>) -> (index {c.d}) attributes {x}
  func.func public @vis() { return }
  func.func nested @nes() { return }
  func.func @args(%a: index {a.b = "q"}, %b: tensor<4xf32> {c.d = #map}) -> (f32 {e.f}, (i32) -> i32) attributes {no_inline, y = [1, 2.0, "s", @ext, @top::@vis, unit, true, i32, #map], z = {k = 1 : i8, "q q" = 2}} {
    %0:2 = "test.two"() {d = dense<1> : tensor<2xi32>, r = array<i32: 1, 2>, r0 = array<i64>, b = array<i1: true, false>, fl = array<f32: 1.0, 2.0>, o = #foo.bar<"a b" + 3>, ty = !foo.t<x>, s = "a\22b\0A\5C", big = 18446744073709551615 : ui64, neg = -1 : si8, f = 1.0 : f16, loc = loc("a":1:2)} : () -> (f32, (i32) -> i32)
    return %0#0, %0#1 : f32, (i32) -> i32
  }

  module attributes {a.t} { }
  %c = builtin.unrealized_conversion_cast to i32
  %d = builtin.unrealized_conversion_cast %c : i32 to index {u}
  %e:2 = builtin.unrealized_conversion_cast %c, %d : i32, index to f32, f64
  "test.regions"() ({
    "test.inner"() : () -> ()
  }, {
  ^bb0(%x: i32):
    "test.br"(%x)[^bb1, ^bb2] {w} : (i32) -> ()
  ^bb1:
    "test.t"() : () -> ()
  ^bb2(%y: i32, %z: f32):
    "test.t"(%y) <{p = 1 : i32}> : (i32) -> ()
  }, {
  }) : () -> ()
}
