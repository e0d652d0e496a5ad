// Refused operations of pdl; an independent MLIR refuses each of them too.
// RUN: %headrace-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

// expected-error @+1 {{'pdl.pattern' op attribute 'benefit' failed to satisfy constraint: 16-bit signless integer attribute whose value is non-negative}}
pdl.pattern : benefit(-1) {
  %root = operation
  rewrite %root with "rewriter"
}

// -----

// expected-error @+1 {{'pdl.pattern' op region #0 ('body') failed to verify constraint: region with 1 blocks}}
pdl.pattern : benefit(1) { }

// -----

// expected-error @+1 {{'pdl.pattern' op expected body to terminate with a `pdl.rewrite`}}
pdl.pattern : benefit(1) {
  %root = operation
}

// -----

pdl.pattern : benefit(1) {
  // expected-error @+1 {{'pdl.attribute' op expected a bindable user when defined in the matcher body of a `pdl.pattern`}}
  %a = attribute
  %root = operation
  rewrite %root with "r"
}

// -----

pdl.pattern : benefit(1) {
  %root = operation
  // expected-error @+1 {{'pdl.rewrite' op expected rewrite region to be non-empty if external name is not specified}}
  rewrite %root { }
}

// -----

pdl.pattern : benefit(1) {
  %root = operation
  rewrite %root {
    // expected-error @+1 {{'pdl.operation' op must have an operation name when nested within a `pdl.rewrite`}}
    %x = operation
  }
}

// -----

pdl.pattern : benefit(1) {
  %t = type
  %a = attribute : %t
  %root = operation {"x" = %a}
  rewrite %root {
    // expected-error @+1 {{'pdl.attribute' op expected constant value when specified within a `pdl.rewrite`}}
    %n = attribute
    erase %root
  }
}

// -----

// expected-error @+1 {{'pdl.pattern' op expected only `pdl` operations within the pattern body, but found 'builtin.unregistered'}}
pdl.pattern : benefit(1) {
  %root = operation "a.b"
  "test.x"() : () -> ()
  rewrite %root with "r"
}

// -----

pdl.pattern : benefit(1) {
  %root = operation "a.b"
  // expected-error @+1 {{expected ':'}}
  apply_native_constraint "c"()
  rewrite %root with "r"
}

// -----

pdl.pattern : benefit(1) {
  %root = operation "a.b"
  // expected-error @+1 {{expected '('}}
  rewrite %root { apply_native_rewrite "c" }
}

// -----

pdl.pattern : benefit(1) {
  // expected-error @+1 {{'pdl.operand' op expected a bindable user when defined in the matcher body of a `pdl.pattern`}}
  %o = operand
  %root = operation "a.b"
  rewrite %root with "r"
}

// -----

pdl.pattern : benefit(1) {
  // expected-error @+1 {{'pdl.operands' op expected a bindable user when defined in the matcher body of a `pdl.pattern`}}
  %o = operands
  %root = operation "a.b"
  rewrite %root with "r"
}

// -----

pdl.pattern : benefit(1) {
  // expected-error @+1 {{'pdl.type' op expected a bindable user when defined in the matcher body of a `pdl.pattern`}}
  %t = type
  %root = operation "a.b"
  rewrite %root with "r"
}

// -----

pdl.pattern : benefit(1) {
  // expected-error @+1 {{'pdl.types' op expected a bindable user when defined in the matcher body of a `pdl.pattern`}}
  %t = types
  %root = operation "a.b"
  rewrite %root with "r"
}

// -----

pdl.pattern : benefit(1) {
  %root = operation "a.b"
  // expected-error @+1 {{'pdl.results' op result #0 ('val') has the unexpected type !pdl.operation}}
  %x = results 0 of %root -> !pdl.operation
  rewrite %root with "r"
}

// -----

pdl.pattern : benefit(1) {
  %root = operation "a.b"
  // expected-error @+1 {{'pdl.erase' op requires a single operand}}
  rewrite %root { "pdl.erase"() : () -> () }
}

// -----

pdl.pattern : benefit(1) {
  %root = operation "a.b"
  // expected-error @+1 {{'pdl.range' op All arguments must have the same type or be an array of the corresponding element type. First element type: !pdl.value, current element type: True}}
  rewrite %root { %r = "pdl.range"(%root) : (!pdl.operation) -> !pdl.range<value> }
}

// -----

pdl.pattern : benefit(1) {
  %root = operation "a.b"
  // expected-error @+1 {{'pdl.rewrite' op expected rewrite region to be empty when rewrite is external}}
  rewrite %root with "r" { erase %root }
}

// -----

// expected-error @+1 {{expected ':'function type signature expected}}
func.func @f() { "pdl.rewrite"() ({}) <{operandSegmentSizes = array<i32: 0, 0>}> : () -> () }

// -----

// expected-error @+1 {{'pdl.erase' op expects parent op 'pdl.rewrite'}}
func.func @f(%o: !pdl.operation) { "pdl.erase"(%o) : (!pdl.operation) -> () return }

// -----

pdl.pattern : benefit(1) {
  %root = operation "a.b"
  rewrite %root {
    // expected-error @+1 {{'pdl.apply_native_rewrite' op requires attribute 'name'}}
    "pdl.apply_native_rewrite"(%root) : (!pdl.operation) -> ()
    erase %root
  }
}

// -----

pdl.pattern : benefit(1) {
  %root = operation "a.b"
  // expected-error @+1 {{'pdl.result' op requires attribute 'index'}}
  %o = "pdl.result"(%root) : (!pdl.operation) -> !pdl.value
  rewrite %root with "r"(%o : !pdl.value)
}

// -----

pdl.pattern : benefit(1) {
  %root = operation "a.b"
  // expected-error @+1 {{'pdl.replace' op expects parent op 'pdl.rewrite'}}
  "pdl.replace"(%root, %root) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (!pdl.operation, !pdl.operation) -> ()
  rewrite %root with "r"
}

// -----

// expected-error @+1 {{'pdl.pattern' op the operations must form a connected component}}
pdl.pattern : benefit(1) {
  %a = operation "a.b"
  %b = operation "c.d"
  %v = result 0 of %b
  rewrite %a with "r"(%v : !pdl.value)
}

// -----

pdl.pattern : benefit(1) {
  %root = operation "a.b"
  // expected-error @+1 {{'pdl.apply_native_constraint' op expected at least one argument}}
  "pdl.apply_native_constraint"() <{name = "c"}> : () -> ()
  rewrite %root with "r"
}

// -----

pdl.pattern : benefit(1) {
  %root = operation "a.b"
  rewrite %root {
    // expected-error @+1 {{'pdl.apply_native_rewrite' op expected at least one argument or result}}
    "pdl.apply_native_rewrite"() <{name = "c"}> : () -> ()
  }
}

// -----

pdl.pattern : benefit(1) {
  %root = operation "a.b"
  // expected-error @+1 {{'pdl.results' op expected `pdl.range<value>` result type when no index is specified, but got: '!pdl.value'}}
  %r = "pdl.results"(%root) : (!pdl.operation) -> !pdl.value
  rewrite %root with "r"
}
