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

// CHECK-LABEL: func.func @exchange
func.func @exchange(%a: memref<64xf16>, %b: memref<128xf16>, %i: index) {
  // CHECK: headrace.exchange(%{{.*}}, %{{.*}} : memref<64xf16>, memref<128xf16>) {number = 0 : i64, rounds = [{moves = [array<i64: 0, 1, 0, 64>], sizes = array<i64: 64>, source = 0 : i64, source_strides = array<i64: 1>, target = 1 : i64, target_strides = array<i64: 1>}]}
  headrace.exchange(%a, %b : memref<64xf16>, memref<128xf16>) {number = 0 : i64, rounds = [{moves = [array<i64: 0, 1, 0, 64>], sizes = array<i64: 64>, source = 0 : i64, source_strides = array<i64: 1>, target = 1 : i64, target_strides = array<i64: 1>}]}
  // CHECK: headrace.exchange(%{{.*}} : memref<64xf16>) [%{{.*}}] {number = 1 : i64, part = "send", rounds = []}
  headrace.exchange(%a : memref<64xf16>) [%i] {number = 1 : i64, part = "send", rounds = []}
  return
}

// CHECK-LABEL: func.func @ring
func.func @ring(%a: memref<64xf32>) {
  // CHECK: headrace.ring_reduce(%{{.*}}, %{{.*}}, %{{.*}} : memref<64xf32>, memref<64xf32>, memref<64xf32>) {block = 1 : i64, kind = "arith.addf", number = 0 : i64, rings = [array<i64: 0, 1>]}
  headrace.ring_reduce(%a, %a, %a : memref<64xf32>, memref<64xf32>, memref<64xf32>) {block = 1 : i64, kind = "arith.addf", number = 0 : i64, rings = [array<i64: 0, 1>]}
  return
}
