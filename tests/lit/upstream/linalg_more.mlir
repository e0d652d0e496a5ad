// RUN: %headrace-opt %s | %headrace-opt | %filecheck %s
// RUN: %headrace-opt %s --mlir-print-op-generic | %headrace-opt | %filecheck %s

// CHECK-LABEL: func.func @more
func.func @more(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>, %m: memref<4x4xf32>, %s: tensor<?x256xf32>, %d: tensor<?x8x?x32xf32>, %p: f32, %t: index) {
  // CHECK: linalg.elementwise <add> ins(%arg2, %arg2 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%arg2 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<add> ins(%c, %c : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: linalg.elementwise <exp> indexing_maps = [#{{.*}}, #{{.*}}] ins(%arg2 : tensor<4x4xf32>) outs(%arg2 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.elementwise <exp> indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>] ins(%c : tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: linalg.contract indexing_maps = [#{{.*}}, #{{.*}}, #{{.*}}] ins(%arg0, %arg1 : tensor<4x8xf32>, tensor<8x4xf32>) outs(%arg2 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>] ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: linalg.softmax dimension(1) ins(%arg2 : tensor<4x4xf32>) outs(%arg2 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = linalg.softmax dimension(1) ins(%c : tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: linalg.softmax dimension(0) ins(%arg3 : memref<4x4xf32>) outs(%arg3 : memref<4x4xf32>)
  linalg.softmax dimension(0) ins(%m : memref<4x4xf32>) outs(%m : memref<4x4xf32>)
  // CHECK: linalg.pack %arg4 padding_value(%arg6 : f32) outer_dims_perm = [0, 1] inner_dims_pos = [0, 1] inner_tiles = [%arg7, 32] into %arg5 : tensor<?x256xf32> -> tensor<?x8x?x32xf32>
  %4 = linalg.pack %s padding_value(%p : f32) outer_dims_perm = [0, 1] inner_dims_pos = [0, 1] inner_tiles = [%t, 32] into %d : tensor<?x256xf32> -> tensor<?x8x?x32xf32>
  // CHECK: linalg.unpack %arg5 inner_dims_pos = [0, 1] inner_tiles = [%arg7, 32] into %arg4 : tensor<?x8x?x32xf32> -> tensor<?x256xf32>
  %5 = linalg.unpack %d inner_dims_pos = [0, 1] inner_tiles = [%t, 32] into %s : tensor<?x8x?x32xf32> -> tensor<?x256xf32>
  return
}
