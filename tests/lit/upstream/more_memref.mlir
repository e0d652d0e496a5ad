// More forms of memref; an independent MLIR accepts and prints each of them the same way.
// RUN: %headrace-opt %s --allow-unregistered-dialect > %t.1
// RUN: %headrace-opt %t.1 --allow-unregistered-dialect > %t.2 && diff %t.1 %t.2
// RUN: %headrace-opt %s --allow-unregistered-dialect --mlir-print-op-generic | %headrace-opt --allow-unregistered-dialect > %t.3 && diff %t.1 %t.3
// RUN: %headrace-opt %s --allow-unregistered-dialect --mlir-print-debuginfo | %headrace-opt --allow-unregistered-dialect > %t.4 && diff %t.1 %t.4

func.func @f0(%i: index) {
  %2 = memref.alloc(%i, %i)[%i] {alignment = 64 : i64} : memref<?x?xf32, affine_map<(d0, d1)[s0] -> (d0 + s0, d1)>>
  return
}

func.func @f1(%i: index, %u: memref<*xf32>) {
  %17 = memref.reinterpret_cast %u to offset: [%i], sizes: [%i, 4], strides: [%i, 1] : memref<*xf32> to memref<?x4xf32, strided<[?, 1], offset: ?>>
  return
}

func.func @f2(%m: memref<8x16xf32>, %i: index) {
  memref.prefetch %m[%i, %i], read, locality<3>, data : memref<8x16xf32>
  return
}

func.func @f3(%m: memref<8x16xf32>, %i: index) {
  memref.prefetch %m[%i, %i], write, locality<0>, instr : memref<8x16xf32>
  return
}

func.func @f4(%m: memref<8x16xf32>, %i: index, %x: f32) {
  %28 = memref.generic_atomic_rmw %m[%i, %i] : memref<8x16xf32> {
    ^bb0(%cur: f32):
      %y = arith.addf %cur, %x : f32
      memref.atomic_yield %y : f32
    }
  return
}

func.func @f5(%m: memref<8x16xf32>) {
  %29 = memref.assume_alignment %m, 16 : memref<8x16xf32>
  return
}

func.func @f6(%b1: memref<8xf32>) {
  %30 = memref.realloc %b1 : memref<8xf32> to memref<16xf32>
  return
}

func.func @f7(%i: index, %b2: memref<?xf32>) {
  %31 = memref.realloc %b2(%i) : memref<?xf32> to memref<?xf32>
  return
}

func.func @f8(%i: index, %b2: memref<?xf32>) {
  %31 = memref.realloc %b2(%i) {alignment = 16 : i64} : memref<?xf32> to memref<?xf32>
  return
}

func.func @f9(%m: memref<8x16xf32>, %sh: memref<1xindex>) {
  %32 = memref.reshape %m(%sh) : (memref<8x16xf32>, memref<1xindex>) -> memref<128xf32>
  return
}

func.func @f10(%i: index, %b: memref<64xi8>) {
  %21 = memref.view %b[%i][] : memref<64xi8> to memref<4xf32>
  return
}

func.func @f11(%m: memref<8x16xf32>) {
  %base, %off, %sz:2, %st:2 = memref.extract_strided_metadata %m : memref<8x16xf32> -> memref<f32>, index, index, index, index, index
  return
}

func.func @f12(%m: memref<8x16xf32>) {
  %c = memref.collapse_shape %m [[0], [1]] : memref<8x16xf32> into memref<8x16xf32>
  return
}

func.func @f13(%m: memref<8x16xf32>, %i: index) {
  %c = memref.load %m[%i, %i] {alignment = 16 : i64} : memref<8x16xf32>
  return
}

func.func @f14(%m: memref<8x16xf32>, %i: index, %k: memref<2xindex>) {
  memref.dma_start %m[%i, %i], %m[%i, %i], %i, %k[%i] : memref<8x16xf32>, memref<8x16xf32>, memref<2xindex>
  return
}

func.func @f15(%m: memref<8x16xf32>, %i: index, %k: memref<2xindex>) {
  memref.dma_start %m[%i, %i], %m[%i, %i], %i, %k[%i], %i, %i : memref<8x16xf32>, memref<8x16xf32>, memref<2xindex>
  return
}

func.func @f16(%i: index, %k: memref<2xindex>) {
  memref.dma_wait %k[%i], %i : memref<2xindex>
  return
}

func.func @f17(%m: memref<8x16xf32>, %d: memref<?x?xf32>) {
  memref.distinct_objects %m, %d : memref<8x16xf32>, memref<?x?xf32>
  return
}

func.func @f18(%m: memref<8x16xf32>) {
  %14 = memref.subview %m[2, 3] [4, 1] [1, 2] : memref<8x16xf32> to memref<4x1xf32, strided<[16, 2], offset: 35>>
  return
}

func.func @f19(%x: f32) {
  %q = memref.alloca_scope -> (f32) {
    memref.alloca_scope.return %x : f32
    } {foo.y}
  return
}

func.func @f20(%m: memref<8x16xf32>) {
  %0 = memref.memory_space_cast %m : memref<8x16xf32> to memref<8x16xf32>
  return
}

func.func @f21(%m: memref<8x16xf32>) {
  %0 = memref.distinct_objects %m : memref<8x16xf32>
  return
}

// One dimension of stride 1 is no layout.
func.func @f22(%m: memref<64xi8, strided<[1]>>, %i: index) {
  %0 = memref.view %m[%i][] : memref<64xi8, strided<[1]>> to memref<4x4xf32>
  return
}

#steps = affine_map<(d0, d1)[s0] -> (d1 * s0 + d0)>

func.func @layouts(%n: index, %m: memref<?x?xf32>, %a: memref<64x8xf32>, %k: memref<4x8xf32, affine_map<(d0, d1)[s0] -> (d1 * 3 + 2 * d0 + s0)>>) {
  %0 = memref.alloc(%n)[%n, %n] : memref<?xi32, strided<[?], offset: ?>>
  %1 = memref.transpose %m (d0, d1) -> (d1, d0) : memref<?x?xf32> to memref<?x?xf32, #steps>
  %2 = memref.subview %a[%n, 0] [4, 8] [1, 1] : memref<64x8xf32> to memref<4x8xf32, affine_map<(d0, d1)[s0] -> (d0 * 8 + s0 + d1)>>
  %3 = memref.cast %k : memref<4x8xf32, affine_map<(d0, d1)[s0] -> (d1 * 3 + 2 * d0 + s0)>> to memref<4x?xf32, strided<[2, 3], offset: ?>>
  return
}
