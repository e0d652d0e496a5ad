// One syntax error a function: each is reported in one run, right functions between them are not in the way.
// RUN: headrace-opt %s --verify-diagnostics

func.func @a(%x: index) {
  // expected-error @+1 {{expected ','}}
  %y = arith.addi %x %x : index
  return
}

func.func @b(%x: index) {
  call @a(%x) : (index) -> ()
  return
}

module @inner {
  func.func @c(%x: index) {
    // expected-error @+1 {{custom op 'arith.adi' is unknown; did you mean 'arith.andi'?}}
    %y = arith.adi %x, %x : index
    return
  }
}

func.func @d(%x: index) {
  // expected-error @+1 {{use of undeclared SSA value name '%z'}}
  %y = arith.muli %z, %x : index
  return
}
