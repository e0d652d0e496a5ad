// Forms of the cf operations, compared with an independent MLIR in tests/ir/test_independent_mlir.py.
// RUN: %headrace-opt %s --allow-unregistered-dialect > %t.1
// RUN: %headrace-opt %t.1 --allow-unregistered-dialect > %t.2 && diff %t.1 %t.2
// RUN: %headrace-opt %s --allow-unregistered-dialect --mlir-print-op-generic | %headrace-opt --allow-unregistered-dialect > %t.3 && diff %t.1 %t.3
// RUN: %headrace-opt %s --allow-unregistered-dialect --mlir-print-debuginfo | %headrace-opt --allow-unregistered-dialect > %t.4 && diff %t.1 %t.4

func.func @f(%c: i1, %i: i32, %x: f32) -> f32 {
  cf.switch %i : i32, [
    default: ^bb1(%x : f32),
    42: ^bb1(%x : f32),
    43: ^bb2
  ]
^bb1(%a: f32):
  cf.cond_br %c, ^bb1(%a : f32), ^bb2
^bb2:
  cf.assert %c, "message"
  cf.br ^bb3(%x, %i : f32, i32)
^bb3(%p: f32, %q: i32):
  %r = func.call @g(%p) : (f32) -> f32
  %k = func.constant @g : (f32) -> f32
  %s = func.call_indirect %k(%r) : (f32) -> f32
  return %s : f32
}
func.func @g(%x: f32) -> f32 { return %x : f32 }
func.func @v(%v: vector<8xf32>, %m: memref<8x8xf32>, %n: index, %x: f32) {
  %0 = vector.broadcast %x : f32 to vector<4xf32>
  %1 = vector.load %m[%n, %n] : memref<8x8xf32>, vector<4xf32>
  vector.store %1, %m[%n, %n] : memref<8x8xf32>, vector<4xf32>
  %2 = vector.fma %v, %v, %v : vector<8xf32>
  %3 = vector.extract %v[3] : f32 from vector<8xf32>
  %4 = vector.insert %x, %v[3] : f32 into vector<8xf32>
  %5 = vector.reduction <add>, %v : vector<8xf32> into f32
  %6 = ub.poison : f32
  return
}
pdl.pattern @p : benefit(1) {
  %t = pdl.type : f32
  %a = pdl.operand : %t
  %b = pdl.attribute = 1.0 : f32
  %o = pdl.operation "arith.addf"(%a, %a : !pdl.value, !pdl.value) {"k" = %b} -> (%t : !pdl.type)
  %r = pdl.result 0 of %o
  pdl.apply_native_constraint "c"(%a : !pdl.value)
  pdl.rewrite %o {
    %n = pdl.operation "arith.mulf"(%a, %a : !pdl.value, !pdl.value) -> (%t : !pdl.type)
    %v = pdl.result 0 of %n
    pdl.apply_native_rewrite "z"(%v : !pdl.value)
    pdl.replace %o with %n
  }
}
pdl.pattern : benefit(2) {
  %ts = pdl.types
  %as = pdl.operands
  %o = pdl.operation(%as : !pdl.range<value>) -> (%ts : !pdl.range<type>)
  %rs = pdl.results of %o
  %r1 = pdl.results 1 of %o -> !pdl.value
 pdl.rewrite %o { pdl.erase %o }
}
pdl.pattern : benefit(2) {
  %o = pdl.operation "a.b"
  pdl.rewrite %o {
    pdl.erase %o
  }
}
pdl.pattern : benefit(2) {
  %o = pdl.operation
  pdl.rewrite {
    %x = pdl.range : !pdl.range<value>
    pdl.replace %o with (%x : !pdl.range<value>)
  }
}
