// RUN: %headrace-opt %s --split-input-file --verify-diagnostics

func.func @f(%m: memref<8xf32>) {
  // expected-error @+1 {{'memref<8xf32>' does not hold a 'tensor<8xf16>'}}
  %0 = bufferization.to_tensor %m : memref<8xf32> to tensor<8xf16>
  return
}

// -----

func.func @f(%t: tensor<8xf32>) {
  // expected-error @+1 {{'memref<4xf32>' does not hold a 'tensor<8xf32>'}}
  %0 = bufferization.to_buffer %t : tensor<8xf32> to memref<4xf32>
  return
}

// -----

func.func @f(%t: tensor<8xf32>) {
  // expected-error @+1 {{'bufferization.alloc_tensor' op expected 1 dynamic sizes}}
  %0 = bufferization.alloc_tensor() : tensor<?xf32>
  return
}

// -----

func.func @f(%t: tensor<8xf32>, %m: memref<8xf32>) {
  // expected-error @+1 {{'writable' must be specified}}
  bufferization.materialize_in_destination %t in %m : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

func.func @f(%t: tensor<8xf32>) {
  // expected-error @+1 {{'bufferization.clone' op operand #0 must be}}
  %0 = "bufferization.clone"(%t) : (tensor<8xf32>) -> memref<8xf32>
  return
}

// -----

func.func @f(%t: f32) {
  // expected-error @+1 {{'bufferization.dealloc_tensor' op operand #0 must be}}
  "bufferization.dealloc_tensor"(%t) : (f32) -> ()
  return
}

// -----

func.func @f(%m: memref<8xf32>, %c: i1) {
  // expected-error @+1 {{must have the same number of conditions as memrefs to deallocate}}
  bufferization.dealloc (%m : memref<8xf32>) if (%c, %c)
  return
}

// -----

func.func @f(%m: memref<8xf32>) {
  // expected-error @+1 {{must have the same number of updated conditions (results) as retained operands}}
  "bufferization.dealloc"(%m) <{operandSegmentSizes = array<i32: 0, 0, 1>}> : (memref<8xf32>) -> ()
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{expected a memref type, but got 'i32'}}
  %0 = bufferization.to_tensor %i : i32
  return
}

// -----

func.func @f(%t: tensor<5xf32>, %m: memref<6xf32>) {
  // expected-error @+1 {{source/destination shapes are incompatible}}
  bufferization.materialize_in_destination %t in writable %m : (tensor<5xf32>, memref<6xf32>) -> ()
  return
}

// -----

func.func @f(%t: tensor<5xf32>, %u: tensor<5x6xf32>) {
  // expected-error @+1 {{rank mismatch between source and destination shape}}
  %0 = bufferization.materialize_in_destination %t in %u : (tensor<5xf32>, tensor<5x6xf32>) -> tensor<5x6xf32>
  return
}
