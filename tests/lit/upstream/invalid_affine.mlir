// Refused operations of affine; an independent MLIR refuses each of them too.
// RUN: %headrace-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

func.func @f(%i: index) {
  // expected-error @+1 {{'affine.apply' op mapping must produce one value}}
  %r = affine.apply affine_map<(d0) -> (d0, d0)>(%i)
  return
}

// -----

func.func @f(%i: index, %j: index) {
  // expected-error @+1 {{expected 1 dimension and 0 symbol operands, but got 2 and 0}}
  %r = affine.apply affine_map<(d0) -> (d0)>(%i, %j)
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{use of value '%a' expects different type than prior uses: 'index' vs 'i32'}}
  %r = affine.apply affine_map<(d0) -> (d0)>(%a)
  return
}

// -----

func.func @f(%i: index) {
  // expected-error @+1 {{'affine.min' op affine map must produce at least one value}}
  %r = affine.min affine_map<(d0) -> ()>(%i)
  return
}

// -----

func.func @f(%a: i32, %x: f32) {
  // expected-error @+1 {{'affine.for' op the values yielded must have the types of the results}}
  %r = affine.for %k = 0 to 10 iter_args(%q = %x) -> (f32) { affine.yield %a : i32 }
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{expected step to be representable as a positive signed integer}}
  affine.for %k = 0 to 10 step -1 { }
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{use of value '%a' expects different type than prior uses: 'index' vs 'i32'}}
  affine.for %k = %a to 10 { }
  return
}

// -----

func.func @f(%i: index) {
  // expected-error @+1 {{loop bound affine map with multiple results requires 'max' prefix}}
  affine.for %k = affine_map<(d0) -> (d0, d0)>(%i) to 10 { }
  return
}

// -----

func.func @f(%x: f32, %i: index) {
  // expected-error @+1 {{'affine.if' op must have an else block if it defines values}}
  %r = affine.if affine_set<(d0) : (d0 >= 0)>(%i) -> f32 { affine.yield %x : f32 }
  return
}

// -----

func.func @f(%i: index, %j: index) {
  // expected-error @+1 {{expected 1 dimension and 0 symbol operands, but got 2 and 0}}
  affine.if affine_set<(d0) : (d0 >= 0)>(%i, %j) { }
  return
}

// -----

func.func @f(%i: index) {
  // expected-error @+1 {{expected an integer set}}
  affine.if affine_map<(d0) -> (d0)>(%i) { }
  return
}

// -----

func.func @f(%i: index, %j: index, %m: memref<16xf32>) {
  // expected-error @+1 {{'affine.load' op affine map has 2 results, but the memref has rank 1}}
  %r = affine.load %m[%i, %j] : memref<16xf32>
  return
}

// -----

func.func @f(%i: index, %j: index, %m: memref<16xf32>) {
  // expected-error @+1 {{non-affine expression: at least one of the multiply operands has to be either a constant or symbolic}}
  %r = affine.load %m[%i * %j] : memref<16xf32>
  return
}

// -----

func.func @f(%a: i32, %i: index, %m: memref<16xf32>) {
  // expected-error @+1 {{use of value '%a' expects different type than prior uses: 'f32' vs 'i32'}}
  affine.store %a, %m[%i] : memref<16xf32>
  return
}

// -----

func.func @f(%x: f32, %i: index, %m2: memref<4x4xf32>) {
  // expected-error @+1 {{'affine.store' op affine map has 1 results, but the memref has rank 2}}
  affine.store %x, %m2[%i] : memref<4x4xf32>
  return
}

// -----

func.func @f(%i: index, %m: memref<16xf32>) {
  // expected-error @+1 {{'affine.vector_load' op value has element type 'i32', but the memref has 'f32'}}
  %r = affine.vector_load %m[%i] : memref<16xf32>, vector<4xi32>
  return
}

// -----

func.func @f(%i: index, %m: memref<16xf32>) {
  %v = "test.v"() : () -> vector<4xi32>
    // expected-error @+1 {{'affine.vector_store' op value has element type 'i32', but the memref has 'f32'}}
    affine.vector_store %v, %m[%i] : memref<16xf32>, vector<4xi32>
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{'affine.parallel' op types mismatch between yield op and its parent}}
  %r = affine.parallel (%k) = (0) to (10) reduce ("addf") -> (f32) { affine.yield %a : i32 }
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{unknown reduction 'plus', expected one of addf, addi, assign, maximumf, maxs, maxu, minimumf, mins, minu, mulf, muli, ori, andi, maxnumf, minnumf, xori}}
  %r = affine.parallel (%k) = (0) to (10) reduce ("plus") -> (f32) { affine.yield %x : f32 }
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{expected as many lower bounds, upper bounds and steps as loop variables}}
  affine.parallel (%k) = (0) to (10, 20) { }
  return
}

// -----

func.func @f(%u: index) {
  // expected-error @+1 {{'affine.max' op affine map must produce at least one value}}
  %r = affine.max affine_map<(d0) -> ()>(%u)
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{use of value '%i' expects different type than prior uses: 'index' vs 'i32'}}
  %r = affine.max affine_map<(d0) -> (d0)>(%i)
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'affine.yield' op expects parent op to be one of 'affine.for, affine.if, affine.parallel'}}
  affine.yield
}

// -----

func.func @f() {
  // expected-error @+1 {{expected step to be representable as a positive signed integer}}
  affine.for %k = 0 to 10 step 0 { }
  return
}

// -----

func.func @f(%i: index) {
  // expected-error @+1 {{result #0 must be index, but got 'tensor<4xf16>'}}
  %0 = "affine.apply"(%i) <{map = affine_map<(d0) -> (d0 + 1)>}> : (index) -> tensor<4xf16>
  return
}

// -----

func.func @not_fixed(%m: memref<?xf32>, %k: memref<8xindex>) {
  affine.for %i = 0 to 8 {
    %j = memref.load %k[%i] : memref<8xindex>
    // expected-error @+1 {{'affine.load' op operand cannot be used as a dimension id}}
    %0 = affine.load %m[%j] : memref<?xf32>
  }
  return
}

// -----

func.func @bounds(%k: memref<8xindex>) {
  affine.for %i = 0 to 8 {
    %j = memref.load %k[%i] : memref<8xindex>
    // expected-error @+1 {{'affine.parallel' op operand cannot be used as a symbol}}
    affine.parallel (%p) = (0) to (symbol(%j)) {
    }
  }
  return
}

// -----

func.func @kinds() {
  // expected-error @+1 {{'affine.parallel' op result type cannot match reduction attribute}}
  %0 = affine.parallel (%p) = (0) to (4) reduce ("minimumf") -> (i32) {
    %c = arith.constant 1 : i32
    affine.yield %c : i32
  }
  return
}

// -----

func.func @arguments(%n: index) {
  // expected-error @+1 {{'affine.if' op region #0 should have no arguments}}
  affine.if affine_set<(d0) : (d0 >= 0)>(%n) {
  ^bb0(%i: i32):
    affine.yield
  }
  return
}

// -----

func.func @range() {
  // expected-error @+1 {{'affine.for' op integer constant out of range for attribute}}
  affine.for %i = 0 to 9223372036854775808 {
  }
  return
}

// -----

func.func @copies(%a: memref<8xf32>, %b: memref<8xf32, 1>, %t: memref<1xi32>, %i: index) {
  // expected-error @+1 {{expected two stride related operands}}
  affine.dma_start %a[%i], %b[%i], %t[0], %i, %i : memref<8xf32>, memref<8xf32, 1>, memref<1xi32>
  return
}

// -----

func.func @copies(%a: memref<8xf32>, %b: memref<8xf32, 1>, %t: memref<1xi32>, %i: index) {
  // expected-error @+1 {{fewer/more types expected}}
  affine.dma_start %a[%i], %b[%i], %t[0], %i : memref<8xf32>, memref<8xf32, 1>
  return
}

// -----

func.func @copies(%a: memref<8xf32>, %b: memref<8xf32, 1>, %t: memref<1xi32>, %i: index) {
  // expected-error @+1 {{'affine.dma_start' op the map of the source has 2 results for 'memref<8xf32>'}}
  affine.dma_start %a[%i, 0], %b[%i], %t[0], %i : memref<8xf32>, memref<8xf32, 1>, memref<1xi32>
  return
}

// -----

func.func @wait(%t: memref<1xi32>, %k: i32) {
  // expected-error @+1 {{'affine.dma_wait' op expected one number of elements of index type after the tag indices}}
  "affine.dma_wait"(%t, %k) <{tag_map = affine_map<() -> (0)>}> : (memref<1xi32>, i32) -> ()
  return
}
