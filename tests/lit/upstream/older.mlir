// Operations that newer MLIR renamed or folded into others; older texts have them.
// RUN: %headrace-opt %s --allow-unregistered-dialect > %t.1
// RUN: %headrace-opt %t.1 --allow-unregistered-dialect > %t.2 && diff %t.1 %t.2
// RUN: %headrace-opt %s --allow-unregistered-dialect --mlir-print-op-generic | %headrace-opt --allow-unregistered-dialect > %t.3 && diff %t.1 %t.3
// RUN: %headrace-opt %s --allow-unregistered-dialect --mlir-print-debuginfo | %headrace-opt --allow-unregistered-dialect > %t.4 && diff %t.1 %t.4
// RUN: %headrace-opt %s --allow-unregistered-dialect | %filecheck %s

func.func @functions(%s: tensor<f32>, %p0: tensor<4x8xf32>, %p1: tensor<4x8xi8>, %p2: tensor<4x8xi32>) {
  %0 = linalg.elemwise_unary ins(%p0 : tensor<4x8xf32>) outs(%p0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = linalg.elemwise_unary {fun = #linalg.unary_fn<rsqrt>} ins(%p1 : tensor<4x8xi8>) outs(%p0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = linalg.elemwise_binary ins(%p1, %p2 : tensor<4x8xi8>, tensor<4x8xi32>) outs(%p2 : tensor<4x8xi32>) -> tensor<4x8xi32>
  %4 = linalg.elemwise_binary ins(%s, %p0 : tensor<f32>, tensor<4x8xf32>) outs(%p0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %3 = linalg.elemwise_binary {cast = #linalg.type_fn<cast_unsigned>, fun = #linalg.binary_fn<max_unsigned>} ins(%p1, %p2 : tensor<4x8xi8>, tensor<4x8xi32>) outs(%p2 : tensor<4x8xi32>) -> tensor<4x8xi32>
  return
}

func.func @transposed(%p0: memref<4x8xf32>, %p1: memref<4x6xf32>, %p2: memref<8x6xf32>, %p3: memref<2x3x8xi8>, %p4: memref<2x5x8xi8>, %p5: memref<2x3x5xi32>, %p6: memref<8x4xf32>) {
  linalg.matmul_transpose_a ins(%p0, %p1 : memref<4x8xf32>, memref<4x6xf32>) outs(%p2 : memref<8x6xf32>)
  linalg.matmul_transpose_b ins(%p2, %p1 : memref<8x6xf32>, memref<4x6xf32>) outs(%p6 : memref<8x4xf32>)
  linalg.batch_matmul_transpose_b ins(%p3, %p4 : memref<2x3x8xi8>, memref<2x5x8xi8>) outs(%p5 : memref<2x3x5xi32>)
  return
}

func.func @tiles(%p0: tensor<2x3x1x5xf32>, %p1: tensor<4x1x5x2xf32>, %p2: tensor<?x10x?x5xf32>, %p3: tensor<4x4x4x?x?x5xf32>, %p4: tensor<4x4x2x3x7x2xf32>, %p5: tensor<7x4x6x2xf32>) {
  %0 = linalg.winograd_filter_transform m(2) r(3) ins(%p0 : tensor<2x3x1x5xf32>) outs(%p1 : tensor<4x1x5x2xf32>) -> tensor<4x1x5x2xf32>
  %1 = linalg.winograd_input_transform m(2) r(3) ins(%p2 : tensor<?x10x?x5xf32>) outs(%p3 : tensor<4x4x4x?x?x5xf32>) -> tensor<4x4x4x?x?x5xf32>
  %2 = linalg.winograd_output_transform {tag} m(2) r(3) ins(%p4 : tensor<4x4x2x3x7x2xf32>) outs(%p5 : tensor<7x4x6x2xf32>) -> tensor<7x4x6x2xf32>
  return
}

func.func @packed(%t: tensor<16x?xf32>, %u: tensor<?x2x8x4xf32>, %pad: f32, %n: index, %v: tensor<?x2x8x?xf32>) {
  %0 = tensor.pack %t padding_value(%pad : f32) outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %u : tensor<16x?xf32> -> tensor<?x2x8x4xf32>
  %1 = tensor.pack %t outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [8, %n] into %v {tag} : tensor<16x?xf32> -> tensor<?x2x8x?xf32>
  %2 = tensor.unpack %1 outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [8, %n] into %t : tensor<?x2x8x?xf32> -> tensor<16x?xf32>
  return
}

func.func @turned(%t: tensor<2x3x4xf32>, %u: tensor<3x4x2xf32>) {
  %0 = tensor.pack %t outer_dims_perm = [1, 2, 0] inner_dims_pos = [] inner_tiles = [] into %u : tensor<2x3x4xf32> -> tensor<3x4x2xf32>
  return
}

func.func @larger(%t: tensor<16x16xf32>, %u: tensor<3x?x8x?xf32>) {
  %0 = tensor.pack %t inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %u : tensor<16x16xf32> -> tensor<3x?x8x?xf32>
  return
}

// CHECK-LABEL: func.func @older
func.func @older(%t: tensor<8xf32>, %u: tensor<*xf32>) {
  // CHECK: bufferization.to_memref %arg0 : memref<8xf32, strided<[?], offset: ?>>
  %0 = bufferization.to_memref %t : memref<8xf32, strided<[?], offset: ?>>
  // CHECK-NEXT: bufferization.to_memref %arg0 read_only {tag} : memref<8xf32>
  %1 = bufferization.to_memref %t read_only {tag} : memref<8xf32>
  // CHECK-NEXT: bufferization.to_memref %arg1 : memref<*xf32>
  %2 = bufferization.to_memref %u : memref<*xf32>
  // CHECK-NEXT: bufferization.to_tensor %{{.*}} restrict : memref<8xf32, strided<[?], offset: ?>> to tensor<8xf32>
  %3 = bufferization.to_tensor %0 restrict : memref<8xf32, strided<[?], offset: ?>>
  // CHECK-NEXT: bufferization.to_tensor %{{.*}} : memref<*xf32> to tensor<*xf32>
  %4 = bufferization.to_tensor %2 : memref<*xf32>
  return
}

func.func @elements(%v: vector<4x8xf32>, %x: f32, %i: i32, %w: vector<4xf32>, %z: vector<f32>) {
  %0 = vector.splat %x : vector<4xf32>
  %1 = vector.extract_strided_slice %v {offsets = [0, 2], sizes = [2, 4], strides = [1, 1]} : vector<4x8xf32> to vector<2x4xf32>
  %2 = vector.insert_strided_slice %1, %v {offsets = [0, 2], strides = [1, 1]} : vector<2x4xf32> into vector<4x8xf32>
  %3 = vector.extractelement %w[%i : i32] : vector<4xf32>
  %4 = vector.extractelement %z[] : vector<f32>
  %5 = vector.insertelement %x, %w[%i : i32] : vector<4xf32>
  return
}

func.func @transposed_first(%a: tensor<2x4x3xf32>, %b: tensor<2x4x5xf32>, %c: tensor<2x3x5xf32>) -> tensor<2x3x5xf32> {
  %0 = linalg.batch_matmul_transpose_a ins(%a, %b : tensor<2x4x3xf32>, tensor<2x4x5xf32>) outs(%c : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  return %0 : tensor<2x3x5xf32>
}
