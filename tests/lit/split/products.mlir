// RUN: headrace-opt --tensor-legalization --split-input-file %s | filecheck %s

// Scores wait for a softmax, so they are kept; probabilities are kept before the second product reads them.

ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @attention({{.*}}headrace.chained
// CHECK: %[[S:.*]] = linalg.generic {{.*}}"reduction"
// CHECK: ktdp.construct_memory_view {{.*}}sizes: [8, 32], {{.*}}memory_space<ct_local>} : memref<8x32xf32>
// CHECK: ktdp.store %[[S]]
// CHECK: linalg.reduce
// CHECK: %[[P:.*]] = arith.truncf
// CHECK: ktdp.construct_memory_view {{.*}}sizes: [8, 32], {{.*}}memory_space<ct_local>} : memref<8x32xf16>
// CHECK: ktdp.store %[[P]]
// CHECK: %[[L:.*]] = ktdp.load
// CHECK: linalg.generic {{.*}}"reduction"{{.*}} ins(%[[L]]
func.func @attention(%q: index, %k: index, %v: index, %o: index) attributes {grid = [1]} {
  %cst0 = arith.constant dense<0.000000e+00> : tensor<8x32xf32>
  %cst1 = arith.constant dense<0xFF800000> : tensor<8xf32>
  %cst2 = arith.constant dense<0.000000e+00> : tensor<8x64xf32>
  %q_v1 = ktdp.construct_memory_view %q, sizes: [8, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<8x64xf16>
  %k_v2 = ktdp.construct_memory_view %k, sizes: [64, 32], strides: [32, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 31 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<64x32xf16>
  %v_v3 = ktdp.construct_memory_view %v, sizes: [32, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<32x64xf16>
  %o_v4 = ktdp.construct_memory_view %o, sizes: [8, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<8x64xf32>
  %t5 = ktdp.construct_access_tile %q_v1[0, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<8x64xf16> -> !ktdp.access_tile<8x64xindex>
  %x6 = ktdp.load %t5 : !ktdp.access_tile<8x64xindex> -> tensor<8x64xf16>
  %t7 = ktdp.construct_access_tile %k_v2[0, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<64x32xf16> -> !ktdp.access_tile<64x32xindex>
  %x8 = ktdp.load %t7 : !ktdp.access_tile<64x32xindex> -> tensor<64x32xf16>
  %d9 = linalg.matmul ins(%x6, %x8 : tensor<8x64xf16>, tensor<64x32xf16>) outs(%cst0 : tensor<8x32xf32>) -> tensor<8x32xf32>
  %r10 = linalg.reduce { arith.maximumf } ins(%d9 : tensor<8x32xf32>) outs(%cst1 : tensor<8xf32>) dimensions = [1]
  %em11 = tensor.empty() : tensor<8x32xf32>
  %b12 = linalg.broadcast ins(%r10 : tensor<8xf32>) outs(%em11 : tensor<8x32xf32>) dimensions = [1]
  %e13 = arith.subf %d9, %b12 : tensor<8x32xf32>
  %e14 = math.exp %e13 : tensor<8x32xf32>
  %e15 = arith.truncf %e14 : tensor<8x32xf32> to tensor<8x32xf16>
  %t16 = ktdp.construct_access_tile %v_v3[0, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<32x64xf16> -> !ktdp.access_tile<32x64xindex>
  %x17 = ktdp.load %t16 : !ktdp.access_tile<32x64xindex> -> tensor<32x64xf16>
  %d18 = linalg.matmul ins(%e15, %x17 : tensor<8x32xf16>, tensor<32x64xf16>) outs(%cst2 : tensor<8x64xf32>) -> tensor<8x64xf32>
  %t19 = ktdp.construct_access_tile %o_v4[0, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<8x64xf32> -> !ktdp.access_tile<8x64xindex>
  ktdp.store %d18, %t19 : tensor<8x64xf32>, !ktdp.access_tile<8x64xindex>
  return
}

// -----

// A factor that is computed is kept once instead of being computed for every column.

ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @normalised(
// CHECK: %[[H:.*]] = arith.truncf
// CHECK: ktdp.store %[[H]]
// CHECK: %[[L:.*]] = ktdp.load
// CHECK: linalg.generic {{.*}}ins(%[[L]]
func.func @normalised(%x: index, %g: index, %w: index, %o: index) attributes {grid = [1]} {
  %cst0 = arith.constant dense<0.000000e+00> : tensor<8x32xf32>
  %x_v1 = ktdp.construct_memory_view %x, sizes: [8, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<8x64xf32>
  %w_v2 = ktdp.construct_memory_view %w, sizes: [64, 32], strides: [32, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 31 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<64x32xf16>
  %o_v3 = ktdp.construct_memory_view %o, sizes: [8, 32], strides: [32, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 31 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<8x32xf32>
  %t4 = ktdp.construct_access_tile %x_v1[0, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<8x64xf32> -> !ktdp.access_tile<8x64xindex>
  %x5 = ktdp.load %t4 : !ktdp.access_tile<8x64xindex> -> tensor<8x64xf32>
  %e6 = arith.mulf %x5, %x5 : tensor<8x64xf32>
  %e7 = arith.truncf %e6 : tensor<8x64xf32> to tensor<8x64xf16>
  %t8 = ktdp.construct_access_tile %w_v2[0, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<64x32xf16> -> !ktdp.access_tile<64x32xindex>
  %x9 = ktdp.load %t8 : !ktdp.access_tile<64x32xindex> -> tensor<64x32xf16>
  %d10 = linalg.matmul ins(%e7, %x9 : tensor<8x64xf16>, tensor<64x32xf16>) outs(%cst0 : tensor<8x32xf32>) -> tensor<8x32xf32>
  %t11 = ktdp.construct_access_tile %o_v3[0, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<8x32xf32> -> !ktdp.access_tile<8x32xindex>
  ktdp.store %d10, %t11 : tensor<8x32xf32>, !ktdp.access_tile<8x32xindex>
  return
}

// -----

// Two products that meet: one is the epilogue's operand of the other.

ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @gate(
// CHECK: %[[A:.*]] = linalg.generic {{.*}}"reduction"
// CHECK-NOT: ktdp.store %[[A]]
// CHECK: %[[B:.*]] = linalg.generic {{.*}}"reduction"
// CHECK: ktdp.store %[[B]]
// CHECK: %[[L:.*]] = ktdp.load
// CHECK: %[[T:.*]] = math.tanh %[[A]]
// CHECK: arith.mulf %[[T]], %[[L]]
func.func @gate(%x: index, %w: index, %u: index, %o: index) attributes {grid = [1]} {
  %cst0 = arith.constant dense<0.000000e+00> : tensor<8x32xf32>
  %x_v1 = ktdp.construct_memory_view %x, sizes: [8, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<8x64xf16>
  %w_v2 = ktdp.construct_memory_view %w, sizes: [64, 32], strides: [32, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 31 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<64x32xf16>
  %u_v3 = ktdp.construct_memory_view %u, sizes: [64, 32], strides: [32, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 31 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<64x32xf16>
  %o_v4 = ktdp.construct_memory_view %o, sizes: [8, 32], strides: [32, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 31 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<8x32xf32>
  %t5 = ktdp.construct_access_tile %x_v1[0, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<8x64xf16> -> !ktdp.access_tile<8x64xindex>
  %x6 = ktdp.load %t5 : !ktdp.access_tile<8x64xindex> -> tensor<8x64xf16>
  %t7 = ktdp.construct_access_tile %w_v2[0, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<64x32xf16> -> !ktdp.access_tile<64x32xindex>
  %x8 = ktdp.load %t7 : !ktdp.access_tile<64x32xindex> -> tensor<64x32xf16>
  %d9 = linalg.matmul ins(%x6, %x8 : tensor<8x64xf16>, tensor<64x32xf16>) outs(%cst0 : tensor<8x32xf32>) -> tensor<8x32xf32>
  %t10 = ktdp.construct_access_tile %u_v3[0, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<64x32xf16> -> !ktdp.access_tile<64x32xindex>
  %x11 = ktdp.load %t10 : !ktdp.access_tile<64x32xindex> -> tensor<64x32xf16>
  %d12 = linalg.matmul ins(%x6, %x11 : tensor<8x64xf16>, tensor<64x32xf16>) outs(%cst0 : tensor<8x32xf32>) -> tensor<8x32xf32>
  %e13 = math.tanh %d9 : tensor<8x32xf32>
  %e14 = arith.mulf %e13, %d12 : tensor<8x32xf32>
  %t15 = ktdp.construct_access_tile %o_v4[0, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<8x32xf32> -> !ktdp.access_tile<8x32xindex>
  ktdp.store %e14, %t15 : tensor<8x32xf32>, !ktdp.access_tile<8x32xindex>
  return
}
