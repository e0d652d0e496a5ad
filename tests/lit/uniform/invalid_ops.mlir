// Each operation of uniform with something wrong about it.
// RUN: %headrace-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

func.func @f(%u: index, %i: i32) {
  // expected-error @+1 {{use of value '%i' expects different type than prior uses: 'index' vs 'i32'}}
  %r = uniform.query_map(map:%i, key:%u) : index
  return
}

// -----

func.func @f(%u: index) {
  // expected-error @+1 {{'uniform.yield' op expects parent op 'uniform.uniformize_regions' or 'uniform.equalize_pattern'}}
  uniform.yield %u : index
}
