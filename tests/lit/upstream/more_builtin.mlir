// More forms of builtin; an independent MLIR accepts and prints each of them the same way.
// RUN: %headrace-opt %s --allow-unregistered-dialect > %t.1
// RUN: %headrace-opt %t.1 --allow-unregistered-dialect > %t.2 && diff %t.1 %t.2
// RUN: %headrace-opt %s --allow-unregistered-dialect --mlir-print-op-generic | %headrace-opt --allow-unregistered-dialect > %t.3 && diff %t.1 %t.3
// RUN: %headrace-opt %s --allow-unregistered-dialect --mlir-print-debuginfo | %headrace-opt --allow-unregistered-dialect > %t.4 && diff %t.1 %t.4

func.func @f0(%a: i32) {
  %0 = builtin.unrealized_conversion_cast %a : i32 to f32
  return
}

func.func @f1() {
  %0:2 = builtin.unrealized_conversion_cast to i32, i32
  return
}

func.func @f2() {
  builtin.module { }
  return
}

// Blanks around the `x` of shapes; an identity layout is no layout.
func.func @blanks(%a: memref<256 x f32>, %b: tensor<? x 4 x vector<8 x f32>>, %c: vector<[4] x [8] x f32>, %d: tensor<0x4 xf32>, %e: memref<2x4xi8, affine_map<(d0, d1)[s0] -> (d0, d1)>, 1>) {
  return
}

// The first block of a function without arguments may have a label and arguments of its own.
func.func @label() {
^bb0:
  return
}

// Divisors that are no positive constants.
func.func @divisors(%i: index) {
  %0 = affine.apply affine_map<(d0)[s0] -> (d0 mod (s0 - s0))>(%i)[%i]
  %1 = affine.apply affine_map<(d0) -> (d0 floordiv -1)>(%i)
  return
}

// Regions of unregistered operations may be graphs.
"some.graph"() ({
  %1 = "some.op"(%1, %2) : (i32, i32) -> i32
  %2 = "some.op"(%1) : (i32) -> i32
}) : () -> ()
