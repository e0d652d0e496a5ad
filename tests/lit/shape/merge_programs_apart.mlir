// RUN: headrace-opt --tensor-legalization --compute-group-extraction --construct-three-stage-pipeline --merge-programs %s | filecheck %s

// The last program reads main memory that the one before writes: they stay programs, with barriers between them.

ktdf_arch.device @sample import("sample.mlir")
// CHECK: func.func @written({{.*}}) attributes {{.*}}headrace.chained
// CHECK-NEXT: call @local_schedule_0(
// CHECK-NEXT: call @local_schedule_1(
// CHECK-NEXT: call @local_schedule_2(
// CHECK-NOT: headrace.merged
func.func @written(%x: index, %g: index, %w: index, %o: index) attributes {grid = [1]} {
  %cst0 = arith.constant dense<0.000000e+00> : tensor<8x32xf32>
  %x_v1 = ktdp.construct_memory_view %x, sizes: [8, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<8x64xf32>
  %g_v = ktdp.construct_memory_view %g, sizes: [8, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<8x64xf16>
  %w_v2 = ktdp.construct_memory_view %g, sizes: [64, 32], strides: [32, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 31 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<64x32xf16>
  %o_v3 = ktdp.construct_memory_view %o, sizes: [8, 32], strides: [32, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 31 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<8x32xf32>
  %t4 = ktdp.construct_access_tile %x_v1[0, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<8x64xf32> -> !ktdp.access_tile<8x64xindex>
  %x5 = ktdp.load %t4 : !ktdp.access_tile<8x64xindex> -> tensor<8x64xf32>
  %e6 = arith.mulf %x5, %x5 : tensor<8x64xf32>
  %e7 = arith.truncf %e6 : tensor<8x64xf32> to tensor<8x64xf16>
  %tg = ktdp.construct_access_tile %g_v[0, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<8x64xf16> -> !ktdp.access_tile<8x64xindex>
  ktdp.store %e7, %tg : tensor<8x64xf16>, !ktdp.access_tile<8x64xindex>
  %t8 = ktdp.construct_access_tile %w_v2[0, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<64x32xf16> -> !ktdp.access_tile<64x32xindex>
  %x9 = ktdp.load %t8 : !ktdp.access_tile<64x32xindex> -> tensor<64x32xf16>
  %d10 = linalg.matmul ins(%e7, %x9 : tensor<8x64xf16>, tensor<64x32xf16>) outs(%cst0 : tensor<8x32xf32>) -> tensor<8x32xf32>
  %t11 = ktdp.construct_access_tile %o_v3[0, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<8x32xf32> -> !ktdp.access_tile<8x32xindex>
  ktdp.store %d10, %t11 : tensor<8x32xf32>, !ktdp.access_tile<8x32xindex>
  return
}
