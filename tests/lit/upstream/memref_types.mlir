// An identity layout and the memory space 0 are the defaults: a type with them is the type without.
// RUN: %headrace-opt %s | %headrace-opt | %filecheck %s
// RUN: %headrace-opt %s --mlir-print-op-generic | %headrace-opt | %filecheck %s

// CHECK: func.func @f(%arg0: memref<4xf32>, %arg1: memref<4xf32>, %arg2: memref<*xf32>, %arg3: memref<4x4xf32, 1>, %arg4: memref<4x4xf32, #map>, %arg5: memref<4xf32, strided<[1]>>)
func.func @f(%a: memref<4xf32, 0>, %b: memref<4xf32, affine_map<(d0) -> (d0)>, 0 : i32>, %c: memref<*xf32, 0>,
             %d: memref<4x4xf32, affine_map<(d0, d1) -> (d0, d1)>, 1>,
             %e: memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>>, %g: memref<4xf32, strided<[1]>>) -> memref<4xf32> {
  return %b : memref<4xf32>
}
