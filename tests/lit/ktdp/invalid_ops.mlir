// Each operation of ktdp with something wrong about it.
// RUN: %headrace-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

func.func @f(%t: tensor<4xf16>) {
  // expected-error @+1 {{'ktdp.yield_reduced' op expects parent op 'ktdp.inter_tile_reduce'}}
  "ktdp.yield_reduced"(%t) : (tensor<4xf16>) -> ()
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'ktdp.yield_partial' op expects parent op 'ktdp.inter_tile_produce'}}
  "ktdp.yield_partial"(%x) : (f32) -> ()
}

// -----

func.func @f() {
  // expected-error @+1 {{'ktdp.region_terminator' op expects parent op 'ktdp.construct_indirect_access_tile'}}
  "ktdp.region_terminator"() : () -> ()
}

// -----

func.func @f() {
  // expected-error @+1 {{'ktdp.inter_tile_all_to_all' op is documented, but not implemented}}
  "ktdp.inter_tile_all_to_all"() : () -> ()
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'ktdp.inter_tile_reduce_scatter' op is documented, but not implemented}}
  "ktdp.inter_tile_reduce_scatter"() : () -> ()
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'ktdp.inter_tile_scatter' op is documented, but not implemented}}
  "ktdp.inter_tile_scatter"() : () -> ()
  return
}
