// RUN: headrace-opt %s --split-input-file --verify-diagnostics

#id = affine_map<(d0, d1) -> (d0, d1)>
#vec = affine_set<(d0, d1) : (d0 == 0, d1 >= 0, -d1 + 63 >= 0)>
func.func @rank(%m: memref<4x64xf16>, %r: index) {
  // expected-error @+1 {{expected 2 subscripts, but got 1}}
  %v = agen.vector_load %m[%r] {load_order = #id, load_set = #vec} : memref<4x64xf16>, vector<64xf16>
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
#vec = affine_set<(d0) : (d0 >= 0, -d0 + 63 >= 0)>
#step = affine_set<() : ()>
#none = affine_map<() -> ()>
#zero = affine_map<() -> (0, 0)>
func.func @dims(%m: memref<4x64xf16>, %r: index) {
  // expected-error @+1 {{load set and src array dimensions should match}}
  agen.composite_load_and_store src:%m[%r, 0] dst:%m[0, 0] time_symbols(), load_iv(%w:vector<64xf16>)
    {load_order = #id, load_set = #vec, load_time_addr_map = #zero, store_order = #id, store_set = #vec, store_time_addr_map = #zero, time_order = #none, time_set = #step}
  { agen.yield } : memref<4x64xf16>, memref<4x64xf16>
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
#steps = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>
func.func @both(%m: memref<4xf16>, %r: index) {
  // expected-error @+1 {{either store_set/order or input vector has to be present in composite store}}
  agen.composite_store %m[%r] time_symbols() {time_addr_map = #id, time_order = #id, time_set = #steps} { agen.yield } : memref<4xf16>
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @missing(%m: memref<4x64xf16>, %i: memref<4x64xi32>) {
  // expected-error @+1 {{load set is missing in the operation}}
  %v = agen.indirect_vector_load indirect:%i[0, 0] direct:%m[0, 0] {load_order = #id} : memref<4x64xi32>, memref<4x64xf16>, vector<64xf16>
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
#line = affine_set<(d0) : (d0 >= 0, -d0 + 63 >= 0)>
func.func @view(%m: memref<64xf16>, %r: index) {
  // expected-error @+1 {{memref must be defined by dataflow.get_logical_memory_view}}
  %v = agen.symbolic_vector_load %m[indices : (%r), strides : (%r)] {load_order = #id, load_set = #line} : memref<64xf16>, vector<64xf16>
  return
}
