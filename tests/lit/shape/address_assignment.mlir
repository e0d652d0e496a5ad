// RUN: headrace-opt --address-assignment --split-input-file --verify-diagnostics %s | filecheck %s

// Buffers get aligned addresses in program order, clear of the kernel's own view of the scratchpad (bytes 0 to 255).

ktdf_arch.device @sample import("sample.mlir")

// CHECK-LABEL: func.func @two(
// CHECK: %[[A:.*]] = arith.constant 256 : index
// CHECK: builtin.unrealized_conversion_cast %[[A]] : index to memref<65xf16, "L1">
// CHECK: %[[B:.*]] = arith.constant 512 : index
// CHECK: builtin.unrealized_conversion_cast %[[B]] : index to memref<64xf16, "L1">
func.func @two() attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %v = ktdp.construct_memory_view %c0, sizes: [128], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 127 >= 0)>, memory_space = #ktdp.memory_space<ct_local>} : memref<128xf16>
  %x = memref.alloc() : memref<65xf16, "L1">
  %y = memref.alloc() : memref<64xf16, "L1">
  return
}

// -----

ktdf_arch.device @sample import("sample.mlir")

func.func @too_large() attributes {grid = [1]} {
  // expected-error@+1 {{address-assignment: failed to allocate L1 memory: the program exceeds its}}
  %x = memref.alloc() : memref<4000000xf16, "L1">
  return
}

// -----

ktdf_arch.device @sample import("sample.mlir")

func.func @unknown_size(%n: index) attributes {grid = [1]} {
  // expected-error@+1 {{address-assignment: failed to allocate L1 memory: the size is only known at launch}}
  %x = memref.alloc(%n) : memref<?xf16, "L1">
  return
}
