// RUN: headrace-opt --construct-three-stage-pipeline %s | filecheck %s

// A product whose rounding is spread over the blocks: while the matrix unit works on the last four of eight blocks of a
// point, the vector unit gets 16 rows each of the point before. A corelet has two points, so it goes round three times.
// The result stays in the scratchpad, so the epilogue ends with the tile. Entries hold what the links carry in a cycle: sixteen rows of a block, two vectors of sums.

ktdf_arch.device @spyre import("spyre.mlir")
module @p {
  // CHECK-LABEL: func.func @p(
  // CHECK-SAME: woven = true
  // CHECK: applicable_units = ["MNILU"]
  // CHECK: ktdf.parallel
  // CHECK: scf.for %[[T:.*]] = %{{.*}} to %c3
  // CHECK: %[[BUSY:.*]] = arith.cmpi slt, %[[T]], %c2
  // CHECK: %[[LEFT:.*]] = arith.cmpi sgt, %[[T]], %c0
  // CHECK: scf.if %[[BUSY]] {
  // CHECK: headrace.matrix_clear
  // CHECK: scf.for %{{.*}} = %{{.*}} to %c3
  // CHECK: headrace.matrix_multiply
  // CHECK: scf.for %{{.*}} = %{{.*}} to %c4
  // CHECK: scf.if %[[BUSY]] {
  // CHECK: headrace.matrix_multiply {{.*}}rows = 16 : i64} : tensor<128xf16>
  // CHECK: scf.if %[[LEFT]] {
  // CHECK: scf.for %{{.*}} = %{{.*}} to %c16
  // CHECK: !ktdf.fifo.slot<"L1LU" -> "SFU", 64xf32>
  // CHECK: arith.truncf
  // CHECK: scf.if %[[BUSY]] {
  // CHECK: headrace.matrix_read
  // CHECK: applicable_units = ["L1LU", "PT", "L1SU", "SFU"]
  func.func @p(%a: index, %b: index) attributes {grid = [1]} {
    %z = arith.constant dense<0.000000e+00> : tensor<256x64xf16>
    %av = ktdp.construct_memory_view %a, sizes: [256, 64], strides: [64, 1] {coordinate_set = affine_set<(i, j) : (i >= 0, -i + 255 >= 0, j >= 0, -j + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<256x64xf16>
    %bv = ktdp.construct_memory_view %b, sizes: [64, 64], strides: [64, 1] {coordinate_set = affine_set<(i, j) : (i >= 0, -i + 63 >= 0, j >= 0, -j + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<64x64xf16>
    %c0 = arith.constant 0 : index
    %cv = ktdp.construct_memory_view %c0, sizes: [256, 64], strides: [64, 1] {coordinate_set = affine_set<(i, j) : (i >= 0, -i + 255 >= 0, j >= 0, -j + 63 >= 0)>, memory_space = #ktdp.memory_space<ct_local>} : memref<256x64xf16>
    %at = ktdp.construct_access_tile %av[0, 0] {access_tile_set = affine_set<(i, j) : (i >= 0, -i + 255 >= 0, j >= 0, -j + 63 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<256x64xf16> -> !ktdp.access_tile<256x64xindex>
    %x = ktdp.load %at : <256x64xindex> -> tensor<256x64xf16>
    %bt = ktdp.construct_access_tile %bv[0, 0] {access_tile_set = affine_set<(i, j) : (i >= 0, -i + 63 >= 0, j >= 0, -j + 63 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<64x64xf16> -> !ktdp.access_tile<64x64xindex>
    %w = ktdp.load %bt : <64x64xindex> -> tensor<64x64xf16>
    %y = linalg.matmul ins(%x, %w : tensor<256x64xf16>, tensor<64x64xf16>) outs(%z : tensor<256x64xf16>) -> tensor<256x64xf16>
    %ct = ktdp.construct_access_tile %cv[0, 0] {access_tile_set = affine_set<(i, j) : (i >= 0, -i + 255 >= 0, j >= 0, -j + 63 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<256x64xf16> -> !ktdp.access_tile<256x64xindex>
    ktdp.store %y, %ct : tensor<256x64xf16>, <256x64xindex>
    return
  }
}
