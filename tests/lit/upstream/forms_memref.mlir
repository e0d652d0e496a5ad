// Forms of the memref operations, compared with an independent MLIR in tests/ir/test_independent_mlir.py.
// RUN: %headrace-opt %s --allow-unregistered-dialect > %t.1
// RUN: %headrace-opt %t.1 --allow-unregistered-dialect > %t.2 && diff %t.1 %t.2
// RUN: %headrace-opt %s --allow-unregistered-dialect --mlir-print-op-generic | %headrace-opt --allow-unregistered-dialect > %t.3 && diff %t.1 %t.3
// RUN: %headrace-opt %s --allow-unregistered-dialect --mlir-print-debuginfo | %headrace-opt --allow-unregistered-dialect > %t.4 && diff %t.1 %t.4

module @mod attributes {a.b = "x"} {
  memref.global "private" constant @w : memref<2x2xf32> = dense<[[0.0, 1.0], [2.0, 3.0]]>
  memref.global @u : memref<4xi32> = uninitialized {alignment = 64 : i64}
  memref.global @e : memref<4xi32>
  memref.global "nested" @big : memref<4xf16> = dense<1.0>
  func.func @f(%n: index, %m: memref<4x8xf32>, %u: memref<*xf32>, %z: memref<f32>, %v: memref<?x?xf32, strided<[?, 1], offset: ?>, 3>, %k: memref<16xi8>, %x: f32) {
    %a = memref.alloc(%n)[%n] {alignment = 16 : i64} : memref<?x8xf32, affine_map<(d0, d1)[s0] -> (d0 + s0, d1)>>
    memref.alloca_scope {
      %q = memref.alloca() : memref<4xf32>
    }
    %c = memref.cast %m : memref<4x8xf32> to memref<?x8xf32>
    %c2 = memref.cast %m : memref<4x8xf32> to memref<*xf32>
    %cs = memref.collapse_shape %m [[0, 1]] : memref<4x8xf32> into memref<32xf32>
    %es = memref.expand_shape %cs [[0, 1]] output_shape [4, 8] : memref<32xf32> into memref<4x8xf32>
    memref.copy %m, %es {t} : memref<4x8xf32> to memref<4x8xf32>
    %d = memref.dim %c, %n : memref<?x8xf32>
    %r = memref.rank %u : memref<*xf32>
    memref.dealloc %a : memref<?x8xf32, affine_map<(d0, d1)[s0] -> (d0 + s0, d1)>>
    %bb, %off, %sz:2, %st:2 = memref.extract_strided_metadata %m : memref<4x8xf32> -> memref<f32>, index, index, index, index, index
    %ip = memref.extract_aligned_pointer_as_index %m : memref<4x8xf32> -> index
    %g = memref.get_global @w : memref<2x2xf32>
    %l = memref.load %m[%n, %n] : memref<4x8xf32>
    %l2 = memref.load %m[%n, %n] {nontemporal = true} : memref<4x8xf32>
    %l0 = memref.load %z[] : memref<f32>
    memref.store %l, %m[%n, %n] : memref<4x8xf32>
    memref.store %l, %m[%n, %n] {nontemporal = true} : memref<4x8xf32>
    %ms = memref.memory_space_cast %m : memref<4x8xf32> to memref<4x8xf32, 1 : i32>
    %rc = memref.reinterpret_cast %m to offset: [0], sizes: [%n, 4], strides: [%n, 1] : memref<4x8xf32> to memref<?x4xf32, strided<[?, 1]>>
    %sv = memref.subview %m[%n, 0] [2, %n] [1, 1] : memref<4x8xf32> to memref<2x?xf32, strided<[8, 1], offset: ?>>
    %sv2 = memref.subview %m[0, 0] [1, 8] [1, 1] : memref<4x8xf32> to memref<8xf32>
    %tr = memref.transpose %m (i, j) -> (j, i) : memref<4x8xf32> to memref<8x4xf32, strided<[1, 8]>>
    %vw = memref.view %k[%n][] : memref<16xi8> to memref<2xf32>
    %vw2 = memref.view %k[%n][%n] : memref<16xi8> to memref<?xf32>
    %at = memref.atomic_rmw addf %x, %m[%n, %n] : (f32, memref<4x8xf32>) -> f32
    return
  }
}
