// Refused operations of memref; an independent MLIR refuses each of them too.
// RUN: %headrace-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

func.func @f() {
  // expected-error @+1 {{'memref.alloca_scope' op 'memref.alloca_scope' does not contain single-block regions}}
  memref.alloca_scope {
    ^bb0:
    cf.br ^bb1
    ^bb1:
    memref.alloca_scope.return
    }
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'memref.alloc' op op dimension operand count does not equal memref dynamic dimension count.}}
  %0 = memref.alloc() : memref<?xf32>
  return
}

// -----

func.func @f(%i: index) {
  // expected-error @+1 {{'memref.alloc' op op dimension operand count does not equal memref dynamic dimension count.}}
  %0 = memref.alloc(%i) : memref<8xf32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'memref.alloc' op Alignment attribute 3 is not a power of 2}}
  %0 = memref.alloc() {alignment = 3 : i64} : memref<8xf32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'memref.alloc' op Alignment attribute must be positive, got -8}}
  %0 = memref.alloc() {alignment = -8 : i64} : memref<8xf32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'memref.alloc' op result #0 must be memref of any type values, but got 'tensor<8xf32>'}}
  %0 = memref.alloc() : tensor<8xf32>
  return
}

// -----

func.func @f(%i: index) {
  // expected-error @+1 {{'memref.alloc' op symbol operand count does not equal memref symbol count: expected 0, got 1}}
  %0 = memref.alloc()[%i] : memref<8xf32>
  return
}

// -----

func.func @f(%i: index) {
  // expected-error @+1 {{'memref.alloca' op op dimension operand count does not equal memref dynamic dimension count.}}
  %0 = memref.alloca(%i) : memref<8xf32>
  return
}

// -----

func.func @f(%i: index) {
  // expected-error @+1 {{'memref.alloca' op op dimension operand count does not equal memref dynamic dimension count.}}
  %0 = "memref.alloca"(%i) <{operandSegmentSizes = array<i32: 1, 0>}> : (index) -> memref<8xf32>
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'memref.dealloc' op has the unexpected type f32}}
  memref.dealloc %x : f32
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'memref.dealloc' op operand #0 must be memref of any type values or unranked.memref of any type values, but got 'f32'}}
  "memref.dealloc"(%x) : (f32) -> ()
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index) {
  // expected-error @+1 {{'memref.load' op incorrect number of indices for load, expected 2 but got 1}}
  %0 = memref.load %m[%i] : memref<8x16xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %j: i32) {
  // expected-error @+1 {{use of value '%j' expects different type than prior uses: 'index' vs 'i32'}}
  %0 = memref.load %m[%i, %j] : memref<8x16xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index) {
  // expected-error @+1 {{'memref.load' op failed to verify that result type matches element type of 'memref'}}
  %0 = "memref.load"(%m, %i, %i) : (memref<8x16xf32>, index, index) -> i32
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %x: f32) {
  // expected-error @+1 {{'memref.store' op store index operand count not equal to memref rank: 2}}
  memref.store %x, %m[%i] : memref<8x16xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %j: i32) {
  // expected-error @+1 {{'memref.store' op failed to verify that type of 'value' matches element type of 'memref'}}
  "memref.store"(%j, %m, %i, %i) : (i32, memref<8x16xf32>, index, index) -> ()
  return
}

// -----

func.func @f(%i: index, %x: f32) {
  // expected-error @+1 {{'memref.dim' op has the unexpected type f32}}
  %0 = memref.dim %x, %i : f32
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %j: i32) {
  // expected-error @+1 {{'memref.dim' op operand #1 must be index, but got 'i32'}}
  %0 = "memref.dim"(%m, %j) : (memref<8x16xf32>, i32) -> index
  return
}

// -----

func.func @f(%i: index, %s: memref<f32>) {
  // expected-error @+1 {{'memref.dim' op operand #0 must be unranked.memref of any type values or non-0-ranked.memref of any type values, but got 'memref<f32>'}}
  %0 = memref.dim %s, %i : memref<f32>
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'memref.rank' op operand #0 must be ranked or unranked memref}}
  %0 = "memref.rank"(%x) : (f32) -> index
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error @+1 {{'memref.cast' op operand type 'memref<8x16xf32>' and result type 'memref<8x8xf32>' are cast incompatible}}
  %0 = memref.cast %m : memref<8x16xf32> to memref<8x8xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error @+1 {{'memref.cast' op operand type 'memref<8x16xf32>' and result type 'memref<8x16xf16>' are cast incompatible}}
  %0 = memref.cast %m : memref<8x16xf32> to memref<8x16xf16>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error @+1 {{'memref.cast' op operand type 'memref<8x16xf32>' and result type 'memref<8x16xf32, 3 : i64>' are cast incompatible}}
  %0 = memref.cast %m : memref<8x16xf32> to memref<8x16xf32, 3>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error @+1 {{'memref.cast' op operand type 'memref<8x16xf32>' and result type 'memref<128xf32>' are cast incompatible}}
  %0 = memref.cast %m : memref<8x16xf32> to memref<128xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error @+1 {{'memref.memory_space_cast' op operand type 'memref<8x16xf32>' and result type 'memref<4x16xf32, 3 : i64>' are cast incompatible}}
  %0 = memref.memory_space_cast %m : memref<8x16xf32> to memref<4x16xf32, 3>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error @+1 {{'memref.memory_space_cast' op operand type 'memref<8x16xf32>' and result type 'memref<8x16xf16, 3 : i64>' are cast incompatible}}
  %0 = memref.memory_space_cast %m : memref<8x16xf32> to memref<8x16xf16, 3>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %b1: memref<8xf32>) {
  // expected-error @+1 {{'memref.copy' op requires the same shape for all operands}}
  memref.copy %m, %b1 : memref<8x16xf32> to memref<8xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %b: memref<64xi8>) {
  // expected-error @+1 {{'memref.copy' op requires the same element type for all operands}}
  memref.copy %m, %b : memref<8x16xf32> to memref<64xi8>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index) {
  // expected-error @+1 {{'memref.subview' op expected result type to be 'memref<4x4xf32, strided<[16, 1], offset: ?>>' or a rank-reduced version. (mismatch of result layout), but got 'memref<4x4xf32>'}}
  %0 = memref.subview %m[0, %i] [4, 4] [1, 1] : memref<8x16xf32> to memref<4x4xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error @+1 {{'memref.subview' op expected 2 offset values, got 1}}
  %0 = memref.subview %m[0] [4] [1] : memref<8x16xf32> to memref<4xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error @+1 {{'memref.subview' op expected result type to be 'memref<4x4xf32, strided<[16, 1]>>' or a rank-reduced version. (mismatch of result sizes), but got 'memref<4x5xf32, strided<[16, 1]>>'}}
  %0 = memref.subview %m[0, 0] [4, 4] [1, 1] : memref<8x16xf32> to memref<4x5xf32, strided<[16, 1]>>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error @+1 {{'memref.subview' op expected result element type to be 'f32', but got 'memref<4x4xf16, strided<[16, 1]>>'}}
  %0 = memref.subview %m[0, 0] [4, 4] [1, 1] : memref<8x16xf32> to memref<4x4xf16, strided<[16, 1]>>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error @+1 {{'memref.subview' op slice along dimension 0 runs out-of-bounds: 8 >= 8}}
  %0 = memref.subview %m[0, 0] [9, 4] [1, 1] : memref<8x16xf32> to memref<9x4xf32, strided<[16, 1]>>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error @+1 {{'memref.subview' op different memory spaces specified for base memref type 'memref<8x16xf32>' and subview memref type 'memref<4x4xf32, strided<[16, 1]>, 3 : i64>'}}
  %0 = memref.subview %m[0, 0] [4, 4] [1, 1] : memref<8x16xf32> to memref<4x4xf32, strided<[16, 1]>, 3>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error @+1 {{'memref.reinterpret_cast' op expected result type with size = 128 instead of 127 in dim = 0}}
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [128], strides: [1] : memref<8x16xf32> to memref<127xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error @+1 {{'memref.reinterpret_cast' op expected result type with stride = 2 instead of 1 in dim = 0}}
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [128], strides: [2] : memref<8x16xf32> to memref<128xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error @+1 {{'memref.reinterpret_cast' op expected result type with offset = 1 instead of 0}}
  %0 = memref.reinterpret_cast %m to offset: [1], sizes: [128], strides: [1] : memref<8x16xf32> to memref<128xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error @+1 {{'memref.reinterpret_cast' op different element types specified for source type 'memref<8x16xf32>' and result memref type 'memref<128xf16>'}}
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [128], strides: [1] : memref<8x16xf32> to memref<128xf16>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error @+1 {{'memref.reinterpret_cast' op different memory spaces specified for source type 'memref<8x16xf32>' and result memref type 'memref<128xf32, 3 : i64>'}}
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [128], strides: [1] : memref<8x16xf32> to memref<128xf32, 3>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index) {
  // expected-error @+1 {{'memref.reinterpret_cast' op expected result type with offset = dynamic instead of 0}}
  %0 = memref.reinterpret_cast %m to offset: [%i], sizes: [128], strides: [1] : memref<8x16xf32> to memref<128xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error @+1 {{'memref.collapse_shape' op collapsed dim size (127) must equal reassociation group size (128)}}
  %0 = memref.collapse_shape %m [[0, 1]] : memref<8x16xf32> into memref<127xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error @+1 {{'memref.collapse_shape' op expanded rank (2) inconsistent with number of reassociation indices (1)}}
  %0 = memref.collapse_shape %m [[0]] : memref<8x16xf32> into memref<8xf32>
  return
}

// -----

func.func @f(%str: memref<4x4xf32, strided<[16, 1], offset: ?>>) {
  // expected-error @+1 {{'memref.collapse_shape' op invalid source layout map or collapsing non-contiguous dims}}
  %0 = memref.collapse_shape %str [[0, 1]] : memref<4x4xf32, strided<[16, 1], offset: ?>> into memref<16xf32, strided<[1], offset: ?>>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error @+1 {{'memref.expand_shape' op collapsed dim size (8) must equal reassociation group size (10)}}
  %0 = memref.expand_shape %m [[0, 1], [2]] output_shape [2, 5, 16] : memref<8x16xf32> into memref<2x5x16xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error @+1 {{'memref.expand_shape' op invalid number of reassociation groups: found 1, expected 2}}
  %0 = memref.expand_shape %m [[0, 1]] output_shape [2, 4] : memref<8x16xf32> into memref<2x4xf32>
  return
}

// -----

func.func @f(%i: index, %b: memref<64xi8>) {
  // expected-error @+1 {{'memref.view' op incorrect number of size operands for type 'memref<4xf32>', expected 0, got 1}}
  %0 = memref.view %b[%i][%i] : memref<64xi8> to memref<4xf32>
  return
}

// -----

func.func @f(%i: index, %b1: memref<8xf32>) {
  // expected-error @+1 {{'memref.view' op must be i8, but is f32}}
  %0 = memref.view %b1[%i][] : memref<8xf32> to memref<4xf32>
  return
}

// -----

func.func @f(%i: index, %b: memref<64xi8>) {
  // expected-error @+1 {{'memref.view' op unsupported map for result memref type 'memref<4xf32, affine_map}}
  %0 = memref.view %b[%i][] : memref<64xi8> to memref<4xf32, affine_map<(d0) -> (d0 + 1)>>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error @+1 {{'memref.transpose' op expected a permutation map}}
  %0 = memref.transpose %m (i, j) -> (i, i) : memref<8x16xf32> to memref<8x8xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error @+1 {{'memref.transpose' op result type 'memref<8x16xf32>' is not equivalent to the transposed type: shape [16, 8], strides [1, 16], offset 0}}
  %0 = memref.transpose %m (i, j) -> (j, i) : memref<8x16xf32> to memref<8x16xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error @+1 {{'memref.extract_strided_metadata' op inferred type(s) 'memref<f32>', 'index', 'index', 'index', 'index', 'index' are incompatible with return type(s) of operation 'memref<f16>', 'index', 'index', 'index', 'index', 'index'}}
  %base, %off, %sz:2, %st:2 = "memref.extract_strided_metadata"(%m) : (memref<8x16xf32>) -> (memref<f16>, index, index, index, index, index)
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error @+1 {{'memref.extract_strided_metadata' op Operation has 1 result for 2 variadic results marked as having the same size.}}
  %base, %off, %sz = "memref.extract_strided_metadata"(%m) : (memref<8x16xf32>) -> (memref<f32>, index, index)
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'memref.extract_aligned_pointer_as_index' op operand #0 must be memref of any type values, but got 'f32'}}
  %0 = "memref.extract_aligned_pointer_as_index"(%x) : (f32) -> index
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index) {
  // expected-error @+1 {{'memref.prefetch' op too few indices}}
  memref.prefetch %m[%i], read, locality<3>, data : memref<8x16xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index) {
  // expected-error @+1 {{'memref.prefetch' op attribute 'localityHint' failed to satisfy constraint: 32-bit signless integer attribute whose minimum value is 0 whose maximum value is 3}}
  memref.prefetch %m[%i, %i], read, locality<4>, data : memref<8x16xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index) {
  // expected-error @+1 {{rw specifier has to be 'read' or 'write'}}
  memref.prefetch %m[%i, %i], peek, locality<3>, data : memref<8x16xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %x: f32) {
  // expected-error @+1 {{'memref.atomic_rmw' op with kind 'addi' expects an integer type}}
  %0 = memref.atomic_rmw addi %x, %m[%i, %i] : (f32, memref<8x16xf32>) -> f32
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %x: f32) {
  // expected-error @+1 {{'memref.atomic_rmw' op expects the number of subscripts to be equal to memref rank}}
  %0 = memref.atomic_rmw addf %x, %m[%i] : (f32, memref<8x16xf32>) -> f32
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %x: f32) {
  // expected-error @+1 {{unknown kind 'plus', expected one of addf, addi, assign, maximumf, maxs, maxu, minimumf, mins, minu, mulf, muli, ori, andi, maxnumf, minnumf, xori}}
  %0 = memref.atomic_rmw plus %x, %m[%i, %i] : (f32, memref<8x16xf32>) -> f32
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index) {
  // expected-error @+1 {{'memref.generic_atomic_rmw' op expected single number of entry block arguments of the memref's element type}}
  %0 = memref.generic_atomic_rmw %m[%i, %i] : memref<8x16xf32> {
    ^bb0(%cur: f16):
      memref.atomic_yield %cur : f16
    }
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %j: i32) {
  %0 = memref.generic_atomic_rmw %m[%i, %i] : memref<8x16xf32> {
    ^bb0(%cur: f32):
      // expected-error @+1 {{'memref.atomic_yield' op types mismatch between yield op: 'i32' and its parent: 'f32'}}
      memref.atomic_yield %j : i32
    }
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %s: memref<f32>) {
  // expected-error @+1 {{'memref.generic_atomic_rmw' op body of 'memref.generic_atomic_rmw' should contain only operations with no side effects}}
  %0 = memref.generic_atomic_rmw %m[%i, %i] : memref<8x16xf32> {
    ^bb0(%cur: f32):
      memref.store %cur, %s[] : memref<f32>
      memref.atomic_yield %cur : f32
    }
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error @+1 {{'memref.assume_alignment' op alignment must be power of 2}}
  %0 = memref.assume_alignment %m, 3 : memref<8x16xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error @+1 {{'memref.assume_alignment' op Alignment must be positive, got 0}}
  %0 = memref.assume_alignment %m, 0 : memref<8x16xf32>
  return
}

// -----

func.func @f(%b1: memref<8xf32>) {
  // expected-error @+1 {{'memref.realloc' op missing dimension operand for result type memref<?xf32>}}
  %0 = memref.realloc %b1 : memref<8xf32> to memref<?xf32>
  return
}

// -----

func.func @f(%i: index, %b1: memref<8xf32>) {
  // expected-error @+1 {{'memref.realloc' op unnecessary dimension operand for result type memref<16xf32>}}
  %0 = memref.realloc %b1(%i) : memref<8xf32> to memref<16xf32>
  return
}

// -----

func.func @f(%b1: memref<8xf32>) {
  // expected-error @+1 {{'memref.realloc' op different element types specified for source memref type (memref<8xf32>)}}
  %0 = memref.realloc %b1 : memref<8xf32> to memref<16xf16>
  return
}

// -----

func.func @f(%b1: memref<8xf32>) {
  // expected-error @+1 {{'memref.realloc' op different memory spaces specified for source memref type (memref<8xf32>)}}
  %0 = memref.realloc %b1 : memref<8xf32> to memref<16xf32, 3>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error @+1 {{'memref.realloc' op operand and result must be 1D memrefs}}
  %0 = memref.realloc %m : memref<8x16xf32> to memref<16x16xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %k: memref<2xindex>) {
  // expected-error @+1 {{'memref.reshape' op length of shape operand differs from the result's memref rank}}
  %0 = memref.reshape %m(%k) : (memref<8x16xf32>, memref<2xindex>) -> memref<128xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %sh: memref<1xindex>) {
  // expected-error @+1 {{'memref.reshape' op element types of source and destination memref types should be the same}}
  %0 = memref.reshape %m(%sh) : (memref<8x16xf32>, memref<1xindex>) -> memref<128xf16>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %b2: memref<?xf32>) {
  // expected-error @+1 {{'memref.reshape' op operand #1 must be 1D memref of signless integer or index values, but got 'memref<?xf32>'}}
  %0 = memref.reshape %m(%b2) : (memref<8x16xf32>, memref<?xf32>) -> memref<128xf32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'memref.distinct_objects' op expected at least one operand}}
  "memref.distinct_objects"() : () -> ()
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %k: memref<2xindex>) {
  // expected-error @+1 {{expected two stride related operands}}
  memref.dma_start %m[%i, %i], %m[%i, %i], %i, %k[%i], %i : memref<8x16xf32>, memref<8x16xf32>, memref<2xindex>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %k: memref<2xindex>) {
  // expected-error @+1 {{'memref.dma_start' op expected num elements to be of index type}}
  memref.dma_start %m[%i, %i], %m[%i], %i, %k[%i] : memref<8x16xf32>, memref<8x16xf32>, memref<2xindex>
  return
}

// -----

func.func @f(%i: index, %k: memref<2xindex>) {
  // expected-error @+1 {{'memref.dma_wait' op expected one number of elements of index type after the tag indices}}
  memref.dma_wait %k[%i, %i], %i : memref<2xindex>
  return
}

// -----

func.func @f(%i: index, %k: memref<2xindex>) {
  // expected-error @+1 {{'memref.dma_wait' op expected one number of elements of index type after the tag indices}}
  "memref.dma_wait"(%k, %i) : (memref<2xindex>, index) -> ()
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'memref.get_global' op 'nope' does not reference a valid global memref}}
  %0 = memref.get_global @nope : memref<4xf32>
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'memref.alloca_scope.return' op expects parent op 'memref.alloca_scope'}}
  memref.alloca_scope.return %x : f32
}

// -----

func.func @f(%j: i32) {
  %0 = memref.alloca_scope -> (f32) {
    // expected-error @+1 {{'memref.alloca_scope.return' op Expected operand types to match parent's return types.}}
    memref.alloca_scope.return %j : i32
    }
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'memref.alloca_scope.return' op Expected operand types to match parent's return types.}}
  %0 = memref.alloca_scope -> (f32) {
    }
  return
}

// -----

// expected-error @+1 {{'memref.global' op type should be static shaped memref, but got 'memref<?xf32>'}}
memref.global "private" @a : memref<?xf32>

// -----

// expected-error @+1 {{shape mismatch in dense literal. Expected [4] shape from the type, but got [3] shape.}}
memref.global "private" @a : memref<4xf32> = dense<[1.0, 2.0, 3.0]> {alignment = 8 : i64}

// -----

// expected-error @+1 {{'memref.global' op alignment attribute value 3 is not a power of 2}}
memref.global "private" @a : memref<4xf32> = dense<0.0> {alignment = 3 : i64}

// -----

func.func @f() {
  // expected-error @+1 {{'memref.get_global' op 'buffer' does not reference a valid global memref; did you mean 'bufer'?}}
  %0 = memref.get_global @buffer : memref<4xf32>
  return
}
memref.global "private" @bufer : memref<4xf32>

// -----

memref.global "private" @a : memref<4xf32>
func.func @f() {
  // expected-error @+1 {{'memref.get_global' op result type 'memref<8xf32>' does not match type 'memref<4xf32>' of the global memref @a}}
  %0 = memref.get_global @a : memref<8xf32>
  return
}

// -----

// expected-error @+1 {{visibility expected to be one of ["public", "private", "nested"], but got "hidden"}}
memref.global "hidden" @g : memref<4xf32>

// -----

func.func @f(%n: index) {
  // expected-error @+1 {{symbol operand count does not equal memref symbol count: expected 2, got 0}}
  %0 = memref.alloc(%n) : memref<?xf32, strided<[?], offset: ?>>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>) {
  // expected-error @+1 {{is not equivalent to the transposed type}}
  %0 = memref.transpose %m (i, j) -> (j, i) : memref<?x?xf32> to memref<?x?xf32, affine_map<(d0, d1) -> (d1 mod 2 + d0)>>
  return
}

// -----

// What is wrong with the last operation comes before that it is no terminator.
func.func @f(%m: memref<8xf32>, %i: index) {
  // expected-error @+1 {{'memref.load' op incorrect number of indices for load, expected 1 but got 2}}
  %0 = memref.load %m[%i, %i] : memref<8xf32>
}

// -----

func.func @f(%m: memref<8xf32>, %i: index) {
  // expected-error @+1 {{terminates the block of 'func.func' but is not a terminator}}
  %0 = memref.load %m[%i] : memref<8xf32>
}

// -----

func.func @f(%m: memref<30x20xf32, strided<[4000, 2], offset: 100>>) {
  // expected-error @+1 {{expected expanded type to be 'memref<2x15x20xf32, strided<[60000, 4000, 2], offset: 100>>' but found 'memref<2x15x20xf32, strided<[5000, 4000, 2], offset: 100>>'}}
  %0 = memref.expand_shape %m [[0, 1], [2]] output_shape [2, 15, 20] : memref<30x20xf32, strided<[4000, 2], offset: 100>> into memref<2x15x20xf32, strided<[5000, 4000, 2], offset: 100>>
  return
}

// -----

func.func @f(%m: memref<4x8xf32>) {
  // expected-error @+1 {{expected collapsed type to be}}
  %0 = memref.collapse_shape %m [[0, 1]] : memref<4x8xf32> into memref<32xf32, strided<[2]>>
  return
}

// -----

func.func @f(%m: memref<8xf32, strided<[2]>>, %s: memref<2xi32>) {
  // expected-error @+1 {{source memref type should have identity affine map}}
  %0 = memref.reshape %m(%s) : (memref<8xf32, strided<[2]>>, memref<2xi32>) -> memref<2x4xf32>
  return
}
