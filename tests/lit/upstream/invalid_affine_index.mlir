// RUN: %headrace-opt %s --split-input-file --verify-diagnostics

func.func @f(%i: index) {
  // expected-error @+1 {{should return an index for each basis element and up to one extra index}}
  %0:3 = affine.delinearize_index %i into (4) : index, index, index
  return
}

// -----

func.func @f(%i: index) {
  // expected-error @+1 {{no basis element may be statically non-positive}}
  %0 = affine.linearize_index [%i] by (0) : index
  return
}

// -----

func.func @f(%i: index, %m: memref<8x8xf32>) {
  // expected-error @+1 {{rw specifier has to be 'read' or 'write'}}
  affine.prefetch %m[%i, %i + 5], rw, locality<3>, instr : memref<8x8xf32>
  return
}

// -----

func.func @f(%i: index, %m: memref<8x8xf32>) {
  // expected-error @+1 {{'affine.prefetch' op affine.prefetch affine map num results must equal memref rank}}
  affine.prefetch %m[%i], read, locality<3>, data : memref<8x8xf32>
  return
}
