// RUN: headrace-opt --tensor-legalization --canonicalize --cse %s | filecheck %s

// Column sums of 331 columns, a prime number: the largest vectors that divide it have one element. The columns in full
// vectors and the rest are stored, and so computed, by programs of their own.

ktdf_arch.device @spyre import("spyre.mlir")
// CHECK-LABEL: func.func @prime(
// CHECK: %[[S:.*]] = linalg.reduce
// CHECK: %[[A:.*]] = tensor.extract_slice %[[S]][0] [320] [1]
// CHECK: ktdp.store %[[A]]
// CHECK: %[[B:.*]] = tensor.extract_slice %[[S]][320] [11] [1]
// CHECK: ktdp.store %[[B]]
func.func @prime(%x: index, %y: index) attributes {grid = [1]} {
  %v = ktdp.construct_memory_view %x, sizes: [40, 331], strides: [331, 1] {coordinate_set = affine_set<(i, j) : (i >= 0, -i + 39 >= 0, j >= 0, -j + 330 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<40x331xf32>
  %w = ktdp.construct_memory_view %y, sizes: [331], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 330 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<331xf32>
  %t = ktdp.construct_access_tile %v[0, 0] {access_tile_set = affine_set<(i, j) : (i >= 0, -i + 39 >= 0, j >= 0, -j + 330 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<40x331xf32> -> !ktdp.access_tile<40x331xindex>
  %a = ktdp.load %t : <40x331xindex> -> tensor<40x331xf32>
  %z = arith.constant dense<0.0> : tensor<331xf32>
  %s = linalg.reduce { arith.addf } ins(%a : tensor<40x331xf32>) outs(%z : tensor<331xf32>) dimensions = [0]
  %u = ktdp.construct_access_tile %w[0] {access_tile_set = affine_set<(i) : (i >= 0, -i + 330 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<331xf32> -> !ktdp.access_tile<331xindex>
  ktdp.store %s, %u : tensor<331xf32>, <331xindex>
  return
}

// 336 columns are twelve vectors of 28: nothing is gained.
// CHECK-LABEL: func.func @divided(
// CHECK-NOT: tensor.extract_slice
// CHECK: return
func.func @divided(%x: index, %y: index) attributes {grid = [1]} {
  %v = ktdp.construct_memory_view %x, sizes: [40, 336], strides: [336, 1] {coordinate_set = affine_set<(i, j) : (i >= 0, -i + 39 >= 0, j >= 0, -j + 335 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<40x336xf32>
  %w = ktdp.construct_memory_view %y, sizes: [336], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 335 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<336xf32>
  %t = ktdp.construct_access_tile %v[0, 0] {access_tile_set = affine_set<(i, j) : (i >= 0, -i + 39 >= 0, j >= 0, -j + 335 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<40x336xf32> -> !ktdp.access_tile<40x336xindex>
  %a = ktdp.load %t : <40x336xindex> -> tensor<40x336xf32>
  %z = arith.constant dense<0.0> : tensor<336xf32>
  %s = linalg.reduce { arith.addf } ins(%a : tensor<40x336xf32>) outs(%z : tensor<336xf32>) dimensions = [0]
  %u = ktdp.construct_access_tile %w[0] {access_tile_set = affine_set<(i) : (i >= 0, -i + 335 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<336xf32> -> !ktdp.access_tile<336xindex>
  ktdp.store %s, %u : tensor<336xf32>, <336xindex>
  return
}
