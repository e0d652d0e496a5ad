// Each operation of ktdf with something wrong about it.
// RUN: %headrace-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

func.func @f() {
  // expected-error @+1 {{'ktdf.create_token' op result #0 must be token, but got 'index'}}
  %r = "ktdf.create_token"() : () -> index
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'ktdf.parallel_yield' op expects parent op 'ktdf.parallel'}}
  ktdf.parallel_yield
}

// -----

func.func @f(%u: index) {
  // expected-error @+1 {{'ktdf.private_yield' op expects parent op 'ktdf.private'}}
  ktdf.private_yield %u : index
}

// -----

func.func @f() {
  // expected-error @+1 {{'ktdf.tiling.reserve_size' op requires attribute 'divisibility'}}
  %r = "ktdf.tiling.reserve_size"() <{min_value = 1 : index}> : () -> index
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'ktdf.tiling.reserve_size' op attribute 'min_value' failed to satisfy constraint: index attribute}}
  %r = "ktdf.tiling.reserve_size"() <{divisibility = 1 : index, min_value = 1 : i32}> : () -> index
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'ktdf.indirect_memref' op requires one result}}
  "ktdf.indirect_memref"() : () -> ()
  return
}
