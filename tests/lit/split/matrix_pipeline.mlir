// RUN: headrace-opt --construct-three-stage-pipeline %s | filecheck %s

// A product of 16 x 20 and 20 x 64 on the matrix unit: one pipeline loads both operands and multiplies, one rounds the sums
// and stores the result. The corelets share the rows; K = 20 is two blocks of 8 and one of 4; b comes row by row.

ktdf_arch.device @spyre import("spyre.mlir")
module @p {
  // CHECK-LABEL: func.func @p(
  // CHECK-SAME: headrace.contraction = {
  // CHECK-SAME: resident = "b"
  // CHECK-SAME: split = "m"
  // CHECK-SAME: streamed = "a"
  // CHECK-SAME: unit = "PT"
  // CHECK-SAME: headrace.mapped
  // CHECK: applicable_units = ["MNILU"]
  // CHECK: ktdf.parallel (%{{.*}}) = (%{{.*}}) to (%{{.*}}) step (%{{.*}}) distribute(num_instances = 2)
  // CHECK: ktdf.data_transfer from %{{.*}}[0, 0] size [1, 64] to %[[F:.*]]#0 size [64]
  // CHECK: applicable_units = ["L1LU"]
  // CHECK: headrace.matrix_clear {rows = 8 : i64}
  // CHECK: headrace.matrix_fill %{{.*}} {at = 0 : i64} : tensor<64xf16>
  // CHECK: headrace.matrix_fill %{{.*}} {at = 7 : i64} : tensor<64xf16>
  // CHECK: headrace.matrix_swap
  // CHECK: scf.for
  // CHECK: headrace.matrix_fill
  // CHECK: headrace.matrix_multiply %{{.*}}, %{{.*}} {macs = 4096 : i64, rows = 8 : i64} : tensor<64xf16>
  // CHECK: headrace.matrix_swap
  // CHECK: headrace.matrix_fill %{{.*}} {at = 3 : i64} : tensor<64xf16>
  // CHECK: headrace.matrix_multiply %{{.*}}, %{{.*}} {macs = 2048 : i64, rows = 8 : i64} : tensor<32xf16>
  // CHECK: headrace.matrix_read %{{.*}} : tensor<64xf32>
  // CHECK: applicable_units = ["PT"]
  // CHECK: applicable_units = ["L1LU", "PT", "L1SU"]
  // CHECK: arith.truncf %{{.*}} : f32 to f16
  // CHECK: applicable_units = ["L1LU", "SFU", "L1SU"]
  // CHECK: applicable_units = ["MNISU"]
  func.func @p(%a: index, %b: index, %c: index) attributes {grid = [1]} {
    %z = arith.constant dense<0.000000e+00> : tensor<16x64xf16>
    %av = ktdp.construct_memory_view %a, sizes: [16, 20], strides: [20, 1] {coordinate_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 19 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<16x20xf16>
    %bv = ktdp.construct_memory_view %b, sizes: [20, 64], strides: [64, 1] {coordinate_set = affine_set<(i, j) : (i >= 0, -i + 19 >= 0, j >= 0, -j + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<20x64xf16>
    %cv = ktdp.construct_memory_view %c, sizes: [16, 64], strides: [64, 1] {coordinate_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<16x64xf16>
    %at = ktdp.construct_access_tile %av[0, 0] {access_tile_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 19 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<16x20xf16> -> !ktdp.access_tile<16x20xindex>
    %x = ktdp.load %at : <16x20xindex> -> tensor<16x20xf16>
    %bt = ktdp.construct_access_tile %bv[0, 0] {access_tile_set = affine_set<(i, j) : (i >= 0, -i + 19 >= 0, j >= 0, -j + 63 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<20x64xf16> -> !ktdp.access_tile<20x64xindex>
    %w = ktdp.load %bt : <20x64xindex> -> tensor<20x64xf16>
    %y = linalg.matmul ins(%x, %w : tensor<16x20xf16>, tensor<20x64xf16>) outs(%z : tensor<16x64xf16>) -> tensor<16x64xf16>
    %ct = ktdp.construct_access_tile %cv[0, 0] {access_tile_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 63 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<16x64xf16> -> !ktdp.access_tile<16x64xindex>
    ktdp.store %y, %ct : tensor<16x64xf16>, <16x64xindex>
    return
  }
}
