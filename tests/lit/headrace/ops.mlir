// RUN: headrace-opt %s | headrace-opt | filecheck %s
// RUN: %headrace-opt %s --mlir-print-op-generic | %headrace-opt | %filecheck %s

func.func @ops(%a: vector<64xf16>, %x: f32, %i: index) {
  // CHECK: headrace.compute %arg0 {op = "math.exp"} : (vector<64xf16>) -> vector<64xf16>
  %0 = headrace.compute %a {op = "math.exp"} : (vector<64xf16>) -> vector<64xf16>
  // CHECK: headrace.compute %arg1, %arg1 {op = "arith.cmpf", predicate = 2 : i64} : (f32, f32) -> i1
  %1 = headrace.compute %x, %x {op = "arith.cmpf", predicate = 2 : i64} : (f32, f32) -> i1
  // CHECK: headrace.compute %arg1 {op = "spyreop.exx2"} : (f32) -> (f32, f32)
  %2:2 = headrace.compute %x {op = "spyreop.exx2"} : (f32) -> (f32, f32)
  // CHECK: headrace.compute {op = "spyreop.constant", value = 1.000000e+00 : f32} : () -> f32
  %3 = headrace.compute {op = "spyreop.constant", value = 1.0 : f32} : () -> f32
  // CHECK: headrace.iota %arg2 {step = 1 : i64} : vector<64xindex>
  %4 = headrace.iota %i {step = 1 : i64} : vector<64xindex>
  // CHECK: headrace.iota %arg2 {period = 4 : i64, repeat = 16 : i64} : vector<64xindex>
  %5 = headrace.iota %i {repeat = 16 : i64, period = 4 : i64} : vector<64xindex>
  return
}
