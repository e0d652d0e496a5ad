// Each operation of ktdf_lowering with something wrong about it.
// RUN: %headrace-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

func.func @f(%i: i32) {
  // expected-error @+1 {{use of value '%i' expects different type than prior uses: 'index' vs 'i32'}}
  ktdf_lowering.execute_on %i {
    }
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{use of value '%i' expects different type than prior uses: 'index' vs 'i32'}}
  ktdf_lowering.signal %i
  return
}

// -----

func.func @f(%u: index) {
  // expected-error @+1 {{'ktdf_lowering.execute_on' op region must not have block arguments}}
  "ktdf_lowering.execute_on"(%u) ({
    ^bb0(%q: index):
    }) : (index) -> ()
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'ktdf_lowering.signal' op operand #0 must be variadic of index, but got 'f32'}}
  "ktdf_lowering.signal"(%x) : (f32) -> ()
  return
}
