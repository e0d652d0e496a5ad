// More forms of affine; an independent MLIR accepts and prints each of them the same way.
// RUN: %headrace-opt %s --allow-unregistered-dialect > %t.1
// RUN: %headrace-opt %t.1 --allow-unregistered-dialect > %t.2 && diff %t.1 %t.2
// RUN: %headrace-opt %s --allow-unregistered-dialect --mlir-print-op-generic | %headrace-opt --allow-unregistered-dialect > %t.3 && diff %t.1 %t.3
// RUN: %headrace-opt %s --allow-unregistered-dialect --mlir-print-debuginfo | %headrace-opt --allow-unregistered-dialect > %t.4 && diff %t.1 %t.4

func.func @f0(%i: index) {
  %r = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
  return
}

func.func @f1(%i: index, %j: index) {
  %r = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%i)[%j]
  return
}

func.func @f2(%i: index) {
  %r = affine.min affine_map<(d0) -> (d0, 8)>(%i)
  return
}

func.func @f3(%i: index, %j: index) {
  %r = affine.max affine_map<(d0)[s0] -> (d0, s0)>(%i)[%j]
  return
}

func.func @f4() {
  affine.for %k = 0 to 10 { }
  return
}

func.func @f5() {
  affine.for %k = 0 to 10 step 3 { affine.yield } {foo.x}
  return
}

func.func @f6(%i: index, %j: index) {
  affine.for %k = %i to %j { }
  return
}

func.func @f7(%i: index, %j: index) {
  affine.for %k = max affine_map<(d0) -> (d0, 0)>(%i) to min affine_map<(d0)[s0] -> (d0, s0)>(%i)[%j] step 2 { }
  return
}

func.func @f8(%x: f32) {
  %r = affine.for %k = 0 to 10 iter_args(%q = %x) -> (f32) { affine.yield %q : f32 }
  return
}

func.func @f9(%x: f32) {
  %r = affine.for %k = 0 to 10 iter_args(%q = %x) -> f32 { affine.yield %q : f32 }
  return
}

func.func @f10() {
  return
}

func.func @f11(%i: index) {
  affine.if affine_set<(d0) : (d0 >= 0)>(%i) { }
  return
}

func.func @f12(%i: index, %j: index) {
  affine.if affine_set<(d0)[s0] : (d0 - s0 == 0, s0 >= 0)>(%i)[%j] { } else { affine.yield }
  return
}

func.func @f13(%x: f32, %i: index) {
  %r = affine.if affine_set<(d0) : (d0 >= 0)>(%i) -> f32 { affine.yield %x : f32 } else { affine.yield %x : f32 }
  return
}

func.func @f14(%i: index, %m: memref<16xf32>) {
  %r = affine.load %m[%i] : memref<16xf32>
  return
}

func.func @f15(%i: index, %m: memref<16xf32>) {
  %r = affine.load %m[%i + 3] : memref<16xf32>
  return
}

func.func @f16(%i: index, %j: index, %m2: memref<4x4xf32>) {
  %r = affine.load %m2[%i, symbol(%j) * 2] : memref<4x4xf32>
  return
}

func.func @f17(%x: f32, %i: index, %m: memref<16xf32>) {
  affine.store %x, %m[%i] : memref<16xf32>
  return
}

func.func @f18(%x: f32, %i: index, %m2: memref<4x4xf32>) {
  affine.store %x, %m2[%i, 3] : memref<4x4xf32>
  return
}

func.func @f19(%i: index, %m: memref<16xf32>) {
  %r = affine.vector_load %m[%i] : memref<16xf32>, vector<4xf32>
  return
}

func.func @f20(%i: index, %m: memref<16xf32>) {
  %v = "test.v"() : () -> vector<4xf32>
    affine.vector_store %v, %m[%i] : memref<16xf32>, vector<4xf32>
  return
}

func.func @f21() {
  affine.parallel (%k) = (0) to (10) { }
  return
}

func.func @f22(%i: index, %j: index) {
  affine.parallel (%k, %n) = (0, max(%i, 1)) to (10, min(%j, 20)) step (1, 2) { }
  return
}

func.func @f23(%x: f32) {
  %r = affine.parallel (%k) = (0) to (10) reduce ("addf") -> f32 { affine.yield %x : f32 }
  return
}

// Copies between memories.
func.func @copies(%a: memref<100x4xf32>, %b: memref<100x4xf32, 2>, %t: memref<1xi32>, %n: index, %s: index) {
  affine.for %i = 0 to 4 {
    affine.dma_start %a[%i + 3, %i], %b[%i, symbol(%s) + 7], %t[%i], %n : memref<100x4xf32>, memref<100x4xf32, 2>, memref<1xi32>
    affine.dma_start %a[%i + 3, %i], %b[%i, 0], %t[0], %n, %n, %s : memref<100x4xf32>, memref<100x4xf32, 2>, memref<1xi32>
    affine.dma_wait %t[%i], %n : memref<1xi32>
  }
  return
}

// Symbols: pure functions of symbols, and extents of what symbols size.
func.func @symbols(%m: memref<?xf32>, %n: index) {
  affine.for %i = 0 to 8 {
    %s = arith.addi %n, %n : index
    %c0 = arith.constant 0 : index
    %b = memref.alloc(%n) : memref<?xf32>
    %e = memref.dim %b, %c0 : memref<?xf32>
    %bytes = memref.alloc() : memref<64xi8>
    %v = memref.view %bytes[%i][%n] : memref<64xi8> to memref<?xf32>
    %w = memref.dim %v, %c0 : memref<?xf32>
    affine.for %j = %w to %e {
      %0 = affine.load %m[%j + symbol(%s)] : memref<?xf32>
    }
  }
  return
}
