// RUN: %headrace-opt %s | %headrace-opt | %filecheck %s
// RUN: %headrace-opt %s --mlir-print-op-generic | %headrace-opt | %filecheck %s

// CHECK-LABEL: func.func @bufferization
func.func @bufferization(%m: memref<8x8xf32>, %t: tensor<8x8xf32>, %n: index) {
  // CHECK: bufferization.to_tensor %arg0 restrict writable : memref<8x8xf32> to tensor<8x8xf32>
  %0 = bufferization.to_tensor %m restrict writable : memref<8x8xf32> to tensor<8x8xf32>
  // CHECK: bufferization.to_buffer %arg1 read_only : tensor<8x8xf32> to memref<8x8xf32, strided<[?, ?], offset: ?>>
  %1 = bufferization.to_buffer %t read_only : tensor<8x8xf32> to memref<8x8xf32, strided<[?, ?], offset: ?>>
  // CHECK: bufferization.alloc_tensor() copy(%arg1) : tensor<8x8xf32>
  %2 = bufferization.alloc_tensor() copy(%t) : tensor<8x8xf32>
  // CHECK: bufferization.alloc_tensor(%arg2) size_hint=%arg2 {memory_space = 1 : i64} : tensor<?x8xf32>
  %3 = bufferization.alloc_tensor(%n) size_hint=%n {memory_space = 1 : i64} : tensor<?x8xf32>
  // CHECK: bufferization.materialize_in_destination %arg1 in %{{.*}} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %4 = bufferization.materialize_in_destination %t in %2 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK: bufferization.materialize_in_destination %arg1 in restrict writable %arg0 : (tensor<8x8xf32>, memref<8x8xf32>) -> ()
  bufferization.materialize_in_destination %t in restrict writable %m : (tensor<8x8xf32>, memref<8x8xf32>) -> ()
  // CHECK: bufferization.clone %arg0 : memref<8x8xf32> to memref<8x8xf32>
  %5 = bufferization.clone %m : memref<8x8xf32> to memref<8x8xf32>
  // CHECK: bufferization.dealloc_tensor %{{.*}} : tensor<8x8xf32>
  bufferization.dealloc_tensor %2 : tensor<8x8xf32>
  return
}

// CHECK-LABEL: func.func @ownership
func.func @ownership(%a: memref<8xf32>, %b: memref<*xf32>, %c: i1) {
  // CHECK: %0:2 = bufferization.dealloc (%arg0, %arg1 : memref<8xf32>, memref<*xf32>) if (%arg2, %arg2) retain (%arg0, %arg1 : memref<8xf32>, memref<*xf32>) {tag}
  %0:2 = bufferization.dealloc (%a, %b : memref<8xf32>, memref<*xf32>) if (%c, %c) retain (%a, %b : memref<8xf32>, memref<*xf32>) {tag}
  // CHECK-NEXT: bufferization.dealloc (%arg0 : memref<8xf32>) if (%arg2)
  bufferization.dealloc (%a : memref<8xf32>) if (%c)
  // CHECK-NEXT: %{{.*}} = bufferization.dealloc retain (%arg0 : memref<8xf32>)
  %1 = bufferization.dealloc retain (%a : memref<8xf32>)
  // CHECK-NEXT: bufferization.dealloc{{$}}
  bufferization.dealloc
  return
}
