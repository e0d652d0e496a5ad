// Refused operations of vector; an independent MLIR refuses each of them too.
// RUN: %headrace-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

func.func @f(%v: vector<4xf32>, %w: vector<4x8xf32>) {
  // expected-error @+1 {{custom op 'vector.scan' is unknown; did you mean 'vector.vscale'?}}
  %28 = vector.scan <add>, %w, %v {inclusive = true, reduction_dim = 1 : i64} : vector<4x8xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'vector.broadcast' op Source operand and result vector must have the same element type.}}
  %0 = vector.broadcast %a : i32 to vector<4xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>) {
  // expected-error @+1 {{'vector.broadcast' op dimension mismatch (4 vs. 3)}}
  %1 = vector.broadcast %v : vector<4xf32> to vector<8x3xf32>
  return
}

// -----

func.func @f(%w: vector<4x8xf32>) {
  // expected-error @+1 {{'vector.extract' op expected position attribute #1 to be a non-negative integer smaller than the corresponding vector dimension or poison (-1)}}
  %2 = vector.extract %w[4] : vector<8xf32> from vector<4x8xf32>
  return
}

// -----

func.func @f(%w: vector<4x8xf32>) {
  // expected-error @+1 {{'vector.extract' op Expected position attribute rank (3) to match source vector rank (2).}}
  %2 = vector.extract %w[1, 2, 3] : f32 from vector<4x8xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>, %a: i32) {
  // expected-error @+1 {{'vector.insert' op attribute i32 expected from variable 'T', but got f32}}
  %4 = vector.insert %a, %v[2] : i32 into vector<4xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>, %x: f32) {
  // expected-error @+1 {{'vector.insert' op expected position attribute #1 to be a non-negative integer smaller than the corresponding dest vector dimension or poison (-1)}}
  %4 = vector.insert %x, %v[4] : f32 into vector<4xf32>
  return
}

// -----

func.func @f(%iv: vector<4xi32>) {
  // expected-error @+1 {{'vector.fma' op has the unexpected type i32}}
  %5 = vector.fma %iv, %iv, %iv : vector<4xi32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index) {
  // expected-error @+1 {{'vector.load' op Expected an index for each dimension.}}
  %6 = vector.load %m[%i] : memref<8x16xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index) {
  // expected-error @+1 {{'vector.load' op MemRef element type should match the Vector element type.}}
  %6 = vector.load %m[%i, %i] : memref<8x16xf32>, vector<4xi32>
  return
}

// -----

func.func @f(%v: vector<4xf32>, %m: memref<8x16xf32>, %i: index) {
  // expected-error @+1 {{'vector.store' op Expected an index for each dimension.}}
  vector.store %v, %m[%i] : memref<8x16xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>, %m: memref<8x16xf32>, %i: index, %mask: vector<4xi1>) {
  // expected-error @+1 {{'vector.maskedload' op Expected an index for each memref dimension.}}
  %7 = vector.maskedload %m[%i], %mask, %v : memref<8x16xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>, %m: memref<8x16xf32>, %i: index, %m1: vector<8xi1>) {
  // expected-error @+1 {{'vector.maskedload' op expected result shape to match mask shape}}
  %7 = vector.maskedload %m[%i, %i], %m1, %v : memref<8x16xf32>, vector<8xi1>, vector<4xf32> into vector<4xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>, %m: memref<8x16xf32>, %i: index, %mask: vector<4xi1>) {
  // expected-error @+1 {{'vector.maskedstore' op Expected an index for each memref dimension.}}
  vector.maskedstore %m[%i], %mask, %v : memref<8x16xf32>, vector<4xi1>, vector<4xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>, %m: memref<8x16xf32>, %i: index, %m1: vector<8xi1>) {
  // expected-error @+1 {{'vector.maskedstore' op expected valueToStore shape to match mask shape}}
  vector.maskedstore %m[%i, %i], %m1, %v : memref<8x16xf32>, vector<8xi1>, vector<4xf32>
  return
}

// -----

func.func @f(%i: index) {
  // expected-error @+1 {{'vector.create_mask' op Expected an operand value for each dimension of resultant mask.}}
  %8 = vector.create_mask %i, %i : vector<4xi1>
  return
}

// -----

func.func @f(%w: vector<4x8xf32>) {
  // expected-error @+1 {{'vector.reduction' op unsupported reduction rank: 2}}
  %10 = vector.reduction <add>, %w : vector<4x8xf32> into f32
  return
}

// -----

func.func @f(%v: vector<4xf32>) {
  // expected-error @+1 {{'vector.reduction' op unsupported reduction type 'f32' for kind 'minsi'}}
  %12 = vector.reduction <minsi>, %v : vector<4xf32> into f32
  return
}

// -----

func.func @f(%v: vector<4xf32>) {
  // expected-error @+1 {{'vector.shuffle' op Mask value 9 out of range [-1, 8)}}
  %13 = vector.shuffle %v, %v [0, 9] : vector<4xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>) {
  // expected-error @+1 {{'vector.bitcast' op The source and result types do not have an equal bitwidth}}
  %14 = vector.bitcast %v : vector<4xf32> to vector<3xi32>
  return
}

// -----

func.func @f(%x: f32, %m: memref<8x16xf32>, %i: index) {
  // expected-error @+1 {{'vector.transfer_read' op Expected an index for each memref/tensor dimension.}}
  %15 = vector.transfer_read %m[%i], %x : memref<8x16xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %a: i32) {
  // expected-error @+1 {{use of value '%a' expects different type than prior uses: 'f32' vs 'i32'}}
  %15 = vector.transfer_read %m[%i, %i], %a : memref<8x16xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>, %m: memref<8x16xf32>, %i: index) {
  // expected-error @+1 {{'vector.transfer_write' op Expected an index for each memref/tensor dimension.}}
  vector.transfer_write %v, %m[%i] : vector<4xf32>, memref<8x16xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>) {
  // expected-error @+1 {{'vector.print' op expected one operand and no results, but got 2 operands}}
  "vector.print"(%v, %v) : (vector<4xf32>, vector<4xf32>) -> ()
  return
}

// -----

func.func @f(%w: vector<4x8xf32>) {
  // expected-error @+1 {{'vector.shape_cast' op has different source and result number of elements}}
  %18 = vector.shape_cast %w : vector<4x8xf32> to vector<31xf32>
  return
}

// -----

func.func @f(%w: vector<4x8xf32>) {
  // expected-error @+1 {{'vector.transpose' op duplicate position index: 0}}
  %19 = vector.transpose %w, [0, 0] : vector<4x8xf32> to vector<4x4xf32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'vector.step' op result #0 must be vector of index values of ranks 1, but got 'vector<4xi32>'}}
  %20 = vector.step : vector<4xi32>
  return
}

// -----

func.func @f(%w: vector<4x8xf32>) {
  // expected-error @+1 {{'vector.extract_strided_slice' op expected sizes dimension 0 to be confined to [1, 5)}}
  %23 = vector.extract_strided_slice %w {offsets = [0], sizes = [5], strides = [1]} : vector<4x8xf32> to vector<5x8xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>, %w: vector<4x8xf32>) {
  // expected-error @+1 {{'vector.insert_strided_slice' op expected sum(offsets, source vector shape) dimension 1 to be confined to [1, 9)}}
  %24 = vector.insert_strided_slice %v, %w {offsets = [0, 6], strides = [1]} : vector<4xf32> into vector<4x8xf32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'vector.constant_mask' op array attr of size out of bounds of vector result dimension size}}
  %9 = vector.constant_mask [5] : vector<4xi1>
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'vector.from_elements' op 2 operands present, but expected 3}}
  %26 = vector.from_elements %x, %x : vector<3xf32>
  return
}

// -----

func.func @f(%v: vector<4x8xf32>) {
  // expected-error @+1 {{dimension size mismatch at: 1}}
  %0 = vector.transpose %v, [1, 0] : vector<4x8xf32> to vector<4x8xf32>
  return
}

// -----

func.func @f(%v: vector<4x8xf32>) {
  // expected-error @+1 {{duplicate position index: 0}}
  %0 = vector.transpose %v, [0, 0] : vector<4x8xf32> to vector<4x4xf32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{array attr of size out of bounds of vector result dimension size}}
  %0 = vector.constant_mask [5, 3] : vector<4x8xi1>
  return
}

// -----

func.func @f(%v: vector<4x8xf32>) {
  // expected-error @+1 {{expected sum(offsets, sizes) dimension 1 to be confined to [1, 9)}}
  %0 = vector.extract_strided_slice %v {offsets = [0, 6], sizes = [2, 4], strides = [1, 1]} : vector<4x8xf32> to vector<2x4xf32>
  return
}

// -----

func.func @f(%v: vector<4x8xf32>, %s: vector<4xf32>) {
  // expected-error @+1 {{expected sum(offsets, source vector shape) dimension 1 to be confined to [1, 9)}}
  %0 = vector.insert_strided_slice %s, %v {offsets = [0, 6], strides = [1]} : vector<4xf32> into vector<4x8xf32>
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{1 operands present, but expected 2}}
  %0 = vector.from_elements %x : vector<2xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>) {
  // expected-error @+1 {{expected position for 1-D vector}}
  %0 = vector.extractelement %v[] : vector<4xf32>
  return
}
