// RUN: headrace-opt --tensor-legalization %s | filecheck %s

// What is folded and needed once more is computed once, since it is costly: the exponentials overwrite the scores, which
// nobody reads any more, and the sum takes them from there. The sum is kept, because the division repeats it.

ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @folded(
// CHECK: %[[S:.*]] = linalg.generic {{.*}}"reduction"
// CHECK: %[[SCORES:.*]] = ktdp.construct_memory_view {{.*}}sizes: [8, 32], {{.*}}memory_space<ct_local>} : memref<8x32xf32>
// CHECK: ktdp.store %[[S]]
// CHECK: linalg.reduce { arith.maximumf }
// CHECK: %[[E:.*]] = math.exp
// CHECK: %[[T:.*]] = ktdp.construct_access_tile %[[SCORES]][0, 0]
// CHECK: ktdp.store %[[E]], %[[T]]
// CHECK: %[[L:.*]] = ktdp.load
// CHECK: arith.truncf %[[E]]
// CHECK-NOT: math.exp
// CHECK: %[[SUM:.*]] = linalg.reduce { arith.addf } ins(%[[L]]
// CHECK: ktdp.store %[[SUM]]
// CHECK: %[[K:.*]] = ktdp.load
// CHECK: linalg.broadcast ins(%[[K]]
func.func @folded(%q: index, %k: index, %v: index, %o: index) attributes {grid = [1]} {
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
  %zero = arith.constant dense<0.000000e+00> : tensor<8xf32>
  %sum = linalg.reduce { arith.addf } ins(%e14 : tensor<8x32xf32>) outs(%zero : tensor<8xf32>) dimensions = [1]
  %e15 = arith.truncf %e14 : tensor<8x32xf32> to tensor<8x32xf16>
  %t16 = ktdp.construct_access_tile %v_v3[0, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<32x64xf16> -> !ktdp.access_tile<32x64xindex>
  %x17 = ktdp.load %t16 : !ktdp.access_tile<32x64xindex> -> tensor<32x64xf16>
  %d18 = linalg.matmul ins(%e15, %x17 : tensor<8x32xf16>, tensor<32x64xf16>) outs(%cst2 : tensor<8x64xf32>) -> tensor<8x64xf32>
  %em20 = tensor.empty() : tensor<8x64xf32>
  %b20 = linalg.broadcast ins(%sum : tensor<8xf32>) outs(%em20 : tensor<8x64xf32>) dimensions = [1]
  %y21 = arith.divf %d18, %b20 : tensor<8x64xf32>
  %t19 = ktdp.construct_access_tile %o_v4[0, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<8x64xf32> -> !ktdp.access_tile<8x64xindex>
  ktdp.store %y21, %t19 : tensor<8x64xf32>, !ktdp.access_tile<8x64xindex>
  return
}
