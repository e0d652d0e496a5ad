// Each operation of agen with something wrong about it.
// RUN: %headrace-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

func.func @f(%v: vector<64xf16>, %u: index, %m: memref<4x64xf16>) {
  // expected-error @+1 {{'agen.vector_store' op requires attribute 'store_order'}}
  agen.vector_store %v, %m[%u] {store_set = affine_set<(d0) : (d0 >= 0)>} : memref<4x64xf16>, vector<64xf16>
  return
}

// -----

func.func @f(%v: vector<64xf16>, %u: index, %m: memref<4x64xf16>) {
  // expected-error @+1 {{'agen.vector_store' op requires attribute 'store_set'}}
  agen.vector_store %v, %m[%u, %u] {store_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<4x64xf16>, vector<64xf16>
  return
}

// -----

func.func @f(%u: index, %m: memref<4x64xf16>) {
  // expected-error @+1 {{'agen.vector_load' op requires attribute 'load_order'}}
  %r = agen.vector_load %m[%u, %u] {load_set = affine_set<(d0, d1) : (d0 == 0)>} : memref<4x64xf16>, vector<64xf16>
  return
}

// -----

func.func @f(%u: index, %m: memref<4x64xf16>) {
  // expected-error @+1 {{'agen.vector_load' op expected 2 map operands, but got 1}}
  %r = "agen.vector_load"(%m, %u) <{affine_map = affine_map<(d0, d1) -> (d0, d1)>, load_order = affine_map<(d0, d1) -> (d0, d1)>, load_set = affine_set<(d0, d1) : (d0 == 0)>, operandSegmentSizes = array<i32: 1, 1, 0>}> : (memref<4x64xf16>, index) -> vector<64xf16>
  return
}

// -----

func.func @f(%u: index, %m: memref<4x64xf16>) {
  // expected-error @+1 {{'agen.composite_load' op load set and Array dimensions should match}}
  agen.composite_load %m[%u, %u] time_symbols() (%iv : vector<64xf16>) {load_order = affine_map<(d0) -> (d0)>, load_set = affine_set<(d0) : (d0 == 0)>, time_set = affine_set<(d0) : (d0 == 0)>, time_order = affine_map<(d0) -> (d0)>, time_addr_map = affine_map<(d0) -> (d0, 0)>} {
    agen.yield
    } : memref<4x64xf16>
  return
}

// -----

func.func @f(%u: index, %m: memref<4x64xf16>) {
  // expected-error @+1 {{'agen.composite_load' op load set and order dimensions should match}}
  agen.composite_load %m[%u, %u] time_symbols() (%iv : vector<64xf16>) {load_order = affine_map<(d0) -> (d0)>, load_set = affine_set<(d0, d1) : (d0 == 0)>, time_set = affine_set<(d0) : (d0 == 0)>, time_order = affine_map<(d0) -> (d0)>, time_addr_map = affine_map<(d0) -> (d0, 0)>} {
    agen.yield
    } : memref<4x64xf16>
  return
}

// -----

func.func @f(%u: index, %m: memref<4x64xf16>) {
  // expected-error @+1 {{'agen.composite_store' op either store_set/order or input vector has to be present in composite store}}
  agen.composite_store %m[%u, %u] time_symbols() {time_set = affine_set<(d0) : (d0 == 0)>, time_order = affine_map<(d0) -> (d0)>, time_addr_map = affine_map<(d0) -> (d0, 0)>} {
    agen.yield
    } : memref<4x64xf16>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'agen.composite_memory_interleave' op attribute 'granularity' failed to satisfy constraint: 32-bit signless integer attribute}}
  agen.composite_memory_interleave {granularity = 3 : i64} {
    agen.yield
    }
  return
}

// -----

func.func @f(%v: vector<64xf16>, %u: index, %b: memref<64xf16>, %fx: memref<8xi32>) {
  // expected-error @+1 {{store order is missing in the operation}}
  agen.indirect_vector_store %v indirect : %fx[%u] direct : %b[%u] {store_set = affine_set<(d0) : (d0 >= 0)>} : vector<64xf16>, memref<8xi32>, memref<64xf16>
  return
}

// -----

func.func @f(%u: index, %b: memref<64xf16>, %fx: memref<8xi32>) {
  // expected-error @+1 {{load set is missing in the operation}}
  %r = agen.indirect_vector_load indirect : %fx[%u] direct : %b[%u] {load_order = affine_map<(d0) -> (d0)>} : memref<8xi32>, memref<64xf16>, vector<64xf16>
  return
}

// -----

func.func @f(%u: index, %b: memref<64xf16>, %fx: memref<8xi32>) {
  // expected-error @+1 {{load set is missing in the operation}}
  agen.composite_indirect_load indirect : %fx[%u] direct : %b[%u] time_symbols(), load_iv(%iv : vector<64xf16>) {load_order = affine_map<(d0) -> (d0)>, time_set = affine_set<(d0) : (d0 == 0)>, time_order = affine_map<(d0) -> (d0)>, time_addr_map = affine_map<(d0) -> (d0)>} {
    agen.yield
    } : memref<8xi32>, memref<64xf16>
  return
}

// -----

func.func @f(%u: index, %b: memref<64xf16>, %fx: memref<8xi32>) {
  // expected-error @+1 {{store order is missing in the operation}}
  agen.composite_indirect_store indirect : %fx[%u] direct : %b[%u] time_symbols() {store_set = affine_set<(d0) : (d0 >= 0)>, time_set = affine_set<(d0) : (d0 == 0)>, time_order = affine_map<(d0) -> (d0)>, time_addr_map = affine_map<(d0) -> (d0)>} {
    agen.yield
    } : memref<8xi32>, memref<64xf16>
  return
}

// -----

func.func @f(%u: index, %b: memref<64xf16>) {
  // expected-error @+1 {{store set is missing in the operation}}
  agen.composite_indirect_load_and_store direct_src : %b[%u] direct_dst : %b[%u] time_symbols(), load_iv(%iv : vector<64xf16>) {load_order = affine_map<(d0) -> (d0)>, load_set = affine_set<(d0) : (d0 >= 0)>, store_order = affine_map<(d0) -> (d0)>, time_set = affine_set<(d0) : (d0 == 0)>, time_order = affine_map<(d0) -> (d0)>, load_direct_time_addr_map = affine_map<(d0) -> (d0)>, store_direct_time_addr_map = affine_map<(d0) -> (d0)>} {
    agen.yield
    } : memref<64xf16>, memref<64xf16>
  return
}

// -----

func.func @f(%v: vector<64xf16>, %u: index, %m: memref<4x64xf16>) {
  // expected-error @+1 {{'agen.symbolic_vector_store' op expected a 1-D memref}}
  agen.symbolic_vector_store %v, %m[indices : (%u), strides : (%u)] {store_set = affine_set<(d0) : (d0 >= 0)>, store_order = affine_map<(d0) -> (d0)>} : memref<4x64xf16>, vector<64xf16>
  return
}

// -----

func.func @f(%u: index, %b: memref<64xf16>) {
  // expected-error @+1 {{'agen.symbolic_vector_load' op memref must be defined by dataflow.get_logical_memory_view}}
  %r = agen.symbolic_vector_load %b[indices : (%u, %u), strides : (%u)] {load_set = affine_set<(d0) : (d0 >= 0)>, load_order = affine_map<(d0) -> (d0)>} : memref<64xf16>, vector<64xf16>
  return
}

// -----

func.func @f(%u: index) {
  // expected-error @+1 {{'maskA' must be a string "(unmasked = U, masked = K)"}}
  %r = agen.set_transfer_mask_state mask_value(%u) {num_slices = 8 : i32, slice_mask_map = "(A)(B)(0)(0)(0)(0)(0)(0)", maskA = "nonsense"} : index, vector<64xf16>
  return
}

// -----

func.func @f(%u: index) {
  // expected-error @+1 {{'agen.set_transfer_mask_state' op masked and unmasked element counts must both be present or both absent}}
  %r = "agen.set_transfer_mask_state"(%u) <{num_masked_elements = array<i32: 1>, num_slices = 8 : i32, slice_mask_map = "(0)"}> : (index) -> vector<64xf16>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'agen.yield' op expects a composite memory operation of 'agen' as parent op}}
  agen.yield
}
