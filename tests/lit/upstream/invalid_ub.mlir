// Refused operations of ub; an independent MLIR refuses each of them too.
// RUN: %headrace-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

func.func @f() {
  // expected-error @+1 {{'ub.unreachable' op must be the last operation in its parent block}}
  ub.unreachable
  return
}
