// Properties that newer MLIR writes outside the dictionary are read; they are printed inside it, as older MLIR does.
// RUN: %headrace-opt %s --split-input-file --verify-diagnostics | %filecheck %s

func.func @hints(%m: memref<8xf32>, %i: index, %v: vector<4xf32>, %x: f32, %b: vector<4xi1>) {
  // CHECK: memref.alloc() {alignment = 64 : i64} : memref<8xf32>
  %0 = memref.alloc() alignment = 64 : memref<8xf32>
  // CHECK: memref.alloca() {a, alignment = 64 : i64} : memref<8xf32>
  %1 = memref.alloca() alignment = 64 {a} : memref<8xf32>
  // CHECK: memref.load %{{.*}}[%{{.*}}] {alignment = 8 : i64, nontemporal = true} : memref<8xf32>
  %2 = memref.load %m[%i] alignment(8) nontemporal(true) : memref<8xf32>
  // CHECK: memref.store %{{.*}}, %{{.*}}[%{{.*}}] {nontemporal = true} : memref<8xf32>
  memref.store %x, %m[%i] nontemporal(true) : memref<8xf32>
  // CHECK: vector.load %{{.*}}[%{{.*}}] {alignment = 8 : i64, nontemporal = true} : memref<8xf32>, vector<4xf32>
  %3 = vector.load %m[%i] alignment = 8 nontemporal = true : memref<8xf32>, vector<4xf32>
  // CHECK: vector.store %{{.*}}, %{{.*}}[%{{.*}}] {nontemporal = true} : memref<8xf32>, vector<4xf32>
  vector.store %v, %m[%i] nontemporal = true : memref<8xf32>, vector<4xf32>
  return
}

// CHECK: memref.global "private" constant @g : memref<2xf32> = dense<0.000000e+00> {alignment = 64 : i64}
memref.global "private" constant @g : memref<2xf32> = dense<0.0> alignment = 64

// CHECK: apply_native_constraint "foo"(%{{.*}} : !pdl.operation) {isNegated = true}
pdl.pattern : benefit(1) {
  %root = operation "a.b"
  apply_native_constraint "foo"(%root : !pdl.operation) is_negated = true
  rewrite %root with "r"
}

// Arguments of a declaration may have names.
// CHECK: func.func private @declared(tensor<4xf32>) -> tensor<4xf32>
func.func private @declared(%a: tensor<4xf32>) -> tensor<4xf32>

// -----

func.func @twice() {
  // expected-error@+1 {{'alignment' is given twice}}
  %0 = memref.alloc() alignment = 64 {alignment = 32 : i64} : memref<8xf32>
  return
}

// -----

func.func @elsewhere(%a: i32) {
  // expected-error@+1 {{expected ':'}}
  %0 = arith.addi %a, %a alignment = 64 : i32
  return
}
