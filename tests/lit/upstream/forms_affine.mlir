// Forms of the affine operations, compared with an independent MLIR in tests/ir/test_independent_mlir.py.
// RUN: %headrace-opt %s --allow-unregistered-dialect > %t.1
// RUN: %headrace-opt %t.1 --allow-unregistered-dialect > %t.2 && diff %t.1 %t.2
// RUN: %headrace-opt %s --allow-unregistered-dialect --mlir-print-op-generic | %headrace-opt --allow-unregistered-dialect > %t.3 && diff %t.1 %t.3
// RUN: %headrace-opt %s --allow-unregistered-dialect --mlir-print-debuginfo | %headrace-opt --allow-unregistered-dialect > %t.4 && diff %t.1 %t.4

#set = affine_set<(d0)[s0] : (d0 - 10 >= 0, s0 - d0 >= 0)>
func.func @f(%n: index, %m: memref<100x?xf32>, %x: f32) -> (f32, index) {
  %c0 = arith.constant 0 : index
  affine.parallel (%i, %j) = (0, 0) to (4, symbol(%n)) {
    %v = affine.load %m[%i + 3, %j * 2] : memref<100x?xf32>
    affine.store %v, %m[%i, symbol(%n) + 1] : memref<100x?xf32>
  }
  affine.parallel (%i, %j) = (0, 10) to (%n, 20) step (2, 5) {
  }
  %r = affine.parallel (%i) = (0) to (%n) reduce ("addf") -> (f32) {
    affine.yield %x : f32
  }
  affine.parallel (%i) = (max(0, %n)) to (min(10, %n + 3)) {
  }
  %s = affine.for %i = 0 to %n step 4 iter_args(%a = %x) -> (f32) {
    %w = arith.addf %a, %x : f32
    affine.yield %w : f32
  }
  %s2:2 = affine.for %i = max affine_map<(d0)[s0] -> (d0, s0)>(%c0)[%n] to min affine_map<(d0) -> (d0 + 5, 8)>(%n) iter_args(%a = %x, %b = %s) -> (f32, f32) {
    affine.yield %b, %a : f32, f32
  }
  affine.for %i = affine_map<(d0) -> (d0 + 1)>(%n) to affine_map<()[s0] -> (s0 * 2)>()[%n] {
    affine.if #set(%i)[%n] {
      affine.store %x, %m[0, %i] : memref<100x?xf32>
    }
    affine.for %k = affine_map<(d0) -> (d0)>(%i) to 100 {
      %q = affine.if #set(%k)[%n] -> f32 {
        affine.yield %x : f32
      } else {
        affine.yield %s : f32
      }
    }
  }
  affine.for %i = -3 to 7 {
  } {tag = "a"}
  %p = affine.apply affine_map<(d0)[s0] -> (d0 floordiv 4 + s0 mod 3)>(%n)[%n]
  %mx = affine.max affine_map<(d0) -> (d0, 4)>(%n)
  %mn = affine.min affine_map<()[s0] -> (s0, 4)>()[%n]
  %v = affine.vector_load %m[%n, 0] : memref<100x?xf32>, vector<8xf32>
  affine.vector_store %v, %m[0, %n] : memref<100x?xf32>, vector<8xf32>
  %alloc = memref.alloc() : memref<16xf32>
  return %r, %p : f32, index
}
