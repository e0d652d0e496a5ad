// Patterns; an independent MLIR accepts and prints each of them the same way.
// RUN: %headrace-opt %s --allow-unregistered-dialect > %t.1
// RUN: %headrace-opt %t.1 --allow-unregistered-dialect > %t.2 && diff %t.1 %t.2
// RUN: %headrace-opt %s --allow-unregistered-dialect --mlir-print-op-generic | %headrace-opt --allow-unregistered-dialect > %t.3 && diff %t.1 %t.3
// RUN: %headrace-opt %s --allow-unregistered-dialect --mlir-print-debuginfo | %headrace-opt --allow-unregistered-dialect > %t.4 && diff %t.1 %t.4

pdl.pattern @x : benefit(3) {
  %t = pdl.type : i32
  %ts = pdl.types
  %a = pdl.attribute = 3 : i32
  %at = pdl.attribute : %t
  %o = pdl.operand : %t
  %os = pdl.operands : %ts
  %op = pdl.operation "arith.addi"(%o, %os : !pdl.value, !pdl.range<value>) {"x" = %a, "y" = %at} -> (%t : !pdl.type)
  %r = pdl.result 0 of %op
  %rs = pdl.results of %op
  pdl.apply_native_constraint "foo"(%r, %rs : !pdl.value, !pdl.range<value>)
  pdl.rewrite %op {
    %n = pdl.operation "x.y"(%o : !pdl.value) -> (%t : !pdl.type)
    pdl.replace %op with %n
  }
}

pdl.pattern : benefit(1) {
  %root = operation
  rewrite %root with "rewriter"
}

pdl.pattern : benefit(1) {
  %t = type
  %os = operands
  %root = operation "a.b"(%os : !pdl.range<value>) -> (%t : !pdl.type)
  %c:2 = apply_native_constraint "foo"(%root : !pdl.operation) : !pdl.attribute, !pdl.type {isNegated = true}
  rewrite {
    %k = attribute = "ALU"
    %z = apply_native_rewrite "mk"(%root, %k : !pdl.operation, !pdl.attribute) : !pdl.operation
    %rr = range %os : !pdl.range<value>
    erase %root
  }
}

pdl.pattern : benefit(1) {
  %root = operation "a.b"
  rewrite %root {
    %tt = types : [i32, i64]
    %n = operation "c.d" -> (%tt : !pdl.range<type>)
    %v = result 0 of %n
    %vs = results 1 of %n -> !pdl.value
    replace %root with (%v : !pdl.value)
  }
}

pdl.pattern : benefit(1) {
  %root = operation "a.b"
  %x = result 0 of %root
  rewrite %root with "r"
}

// A type or an attribute that says its value binds nothing.
pdl.pattern : benefit(1) {
  %t = type : i32
  %ts = types : [i32, i64]
  %a = attribute = 1 : i32
  %root = operation "a.b"
  rewrite %root with "r"
}
