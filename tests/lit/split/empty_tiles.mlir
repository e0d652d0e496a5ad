// RUN: headrace-opt --tensor-legalization %s | filecheck %s

// A tile without elements is not stored, and the sum of none is what it starts from.

ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @empty(
// CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<2xf32>
// CHECK-NOT: ktdp.load
// CHECK-NOT: linalg.reduce
// CHECK: ktdp.store %[[ZERO]]
// CHECK-NOT: ktdp.store
func.func @empty(%x: index, %y: index) attributes {grid = [1]} {
  %zero = arith.constant dense<0.0> : tensor<2xf32>
  %xv = ktdp.construct_memory_view %x, sizes: [2, 32], strides: [32, 1] {coordinate_set = affine_set<(i, j) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 31 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2x32xf32>
  %yv = ktdp.construct_memory_view %y, sizes: [2], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2xf32>
  %xt = ktdp.construct_access_tile %xv[0, 0] {access_tile_set = affine_set<(i, j) : (i >= 0, -i + 1 >= 0, j >= 0, -j - 1 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<2x32xf32> -> !ktdp.access_tile<2x0xindex>
  %none = ktdp.load %xt : <2x0xindex> -> tensor<2x0xf32>
  ktdp.store %none, %xt : tensor<2x0xf32>, <2x0xindex>
  %s = linalg.reduce { arith.addf } ins(%none : tensor<2x0xf32>) outs(%zero : tensor<2xf32>) dimensions = [1]
  %yt = ktdp.construct_access_tile %yv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i + 1 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<2xf32> -> !ktdp.access_tile<2xindex>
  ktdp.store %s, %yt : tensor<2xf32>, <2xindex>
  return
}
