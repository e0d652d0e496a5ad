// Each operation of ktdf_arch with something wrong about it.
// RUN: %headrace-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

func.func @f() {
  // expected-error @+1 {{'ktdf_arch.exec_unit' op requires one result}}
  "ktdf_arch.exec_unit"() : () -> ()
  return
}

// -----

func.func @f(%u: index) {
  // expected-error @+1 {{'ktdf_arch.yield' op operand #0 must be variadic of exec_unit, but got 'index'}}
  "ktdf_arch.yield"(%u) : (index) -> ()
}
