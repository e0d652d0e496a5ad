// Each operation of ktdf_arch with something wrong about it.
// RUN: %headrace-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

func.func @f() {
  // expected-error @+1 {{'ktdf_arch.exec_unit' op Expected 1 result, but got 0}}
  "ktdf_arch.exec_unit"() : () -> ()
  return
}

// -----

func.func @f(%u: index) {
  // expected-error @+1 {{'ktdf_arch.yield' op operand #0 ('units') must be ktdf_arch.exec_unit, but is index}}
  "ktdf_arch.yield"(%u) : (index) -> ()
}
