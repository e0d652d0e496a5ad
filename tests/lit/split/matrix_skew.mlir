// RUN: headrace-opt --construct-three-stage-pipeline %s | filecheck %s

// An epilogue that goes on beside the next tile: eight tiles of 32 rows pass by, in nine iterations. An iteration stores
// the first half of the columns of its own tile and the second half of those of the tile before, and loads the other
// operand of the epilogue likewise; the first of a corelet's two points takes the epilogue of the tile before's last one.

ktdf_arch.device @spyre import("spyre.mlir")
module @k {
  // CHECK-LABEL: func.func @k(
  // CHECK-SAME: m = [32], n = [256]
  // CHECK-SAME: skewed = true
  // CHECK: scf.for %[[I:.*]] = %{{.*}} to %c9
  // CHECK: %[[NOW:.*]] = arith.cmpi slt, %[[I]], %c8
  // CHECK: scf.if %[[NOW]] {
  // CHECK-NEXT: ktdf.data_transfer from %{{.*}}[%[[I]] * 32, 0] size [32, 1024] to %{{.*}}[0, 0] size [32, 1024]
  // CHECK: scf.if %{{.*}} {
  // CHECK-NEXT: ktdf.data_transfer from %{{.*}}[%[[I]] * 32, 0] size [32, 128] to %{{.*}}[0, 0] size [32, 128]
  // CHECK: %[[LAST:.*]] = arith.addi %[[I]], %c-1
  // CHECK: %[[BEFORE:.*]] = arith.cmpi ult, %[[LAST]], %c8
  // CHECK: scf.if %[[BEFORE]] {
  // CHECK-NEXT: ktdf.data_transfer from %{{.*}}[%[[I]] * 32 - 32, 128] size [32, 128] to %{{.*}}[0, 128] size [32, 128]
  // CHECK: applicable_units = ["MNILU"]
  // CHECK: scf.for %[[T:.*]] = %{{.*}} to %c2
  // CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[T]], %c0
  // CHECK: arith.select %[[FIRST]], %c1
  // CHECK: %[[LEFT:.*]] = arith.cmpi ult, %{{.*}}, %c16
  // CHECK: %[[BUSY:.*]] = arith.cmpi slt, %[[I]], %c8
  // CHECK: scf.if %[[BUSY]] {
  // CHECK: headrace.matrix_clear
  // CHECK: scf.if %[[LEFT]] {
  // CHECK: math.exp
  // CHECK: scf.if %[[BUSY]] {
  // CHECK: headrace.matrix_read
  // CHECK: applicable_units = ["L1LU", "PT", "L1SU", "SFU"]
  // CHECK: size [32, 128] to %{{.*}}[%{{.*}} * 32, 0] size [32, 128]
  // CHECK: size [32, 128] to %{{.*}}[%{{.*}} * 32 - 32, 128] size [32, 128]
  // CHECK: applicable_units = ["MNISU"]
  func.func @k(%a: index, %b: index, %c: index, %d: index) attributes {grid = [1]} {
    %z = arith.constant 0 : index
    %av = ktdp.construct_memory_view %a, sizes: [256, 1024], strides: [1024, 1] {coordinate_set = affine_set<(d0,d1) : (d0 >= 0, -d0 + 255 >= 0, d1 >= 0, -d1 + 1023 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<256x1024xf16>
    %aa = ktdp.construct_access_tile %av[%z, %z] {access_tile_set = affine_set<(d0,d1) : (d0 >= 0, -d0 + 255 >= 0, d1 >= 0, -d1 + 1023 >= 0)>, access_tile_order = affine_map<(d0,d1) -> (d0,d1)>} : memref<256x1024xf16> -> !ktdp.access_tile<256x1024xindex>
    %at = ktdp.load %aa : !ktdp.access_tile<256x1024xindex> -> tensor<256x1024xf16>
    %bv = ktdp.construct_memory_view %b, sizes: [1024, 256], strides: [256, 1] {coordinate_set = affine_set<(d0,d1) : (d0 >= 0, -d0 + 1023 >= 0, d1 >= 0, -d1 + 255 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<1024x256xf16>
    %ba = ktdp.construct_access_tile %bv[%z, %z] {access_tile_set = affine_set<(d0,d1) : (d0 >= 0, -d0 + 1023 >= 0, d1 >= 0, -d1 + 255 >= 0)>, access_tile_order = affine_map<(d0,d1) -> (d0,d1)>} : memref<1024x256xf16> -> !ktdp.access_tile<1024x256xindex>
    %bt = ktdp.load %ba : !ktdp.access_tile<1024x256xindex> -> tensor<1024x256xf16>
    %cv = ktdp.construct_memory_view %c, sizes: [256, 256], strides: [256, 1] {coordinate_set = affine_set<(d0,d1) : (d0 >= 0, -d0 + 255 >= 0, d1 >= 0, -d1 + 255 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<256x256xf16>
    %ca = ktdp.construct_access_tile %cv[%z, %z] {access_tile_set = affine_set<(d0,d1) : (d0 >= 0, -d0 + 255 >= 0, d1 >= 0, -d1 + 255 >= 0)>, access_tile_order = affine_map<(d0,d1) -> (d0,d1)>} : memref<256x256xf16> -> !ktdp.access_tile<256x256xindex>
    %zero = arith.constant dense<0.0> : tensor<256x256xf32>
    %y0 = linalg.matmul ins(%at, %bt : tensor<256x1024xf16>, tensor<1024x256xf16>) outs(%zero : tensor<256x256xf32>) -> tensor<256x256xf32>
    %dv = ktdp.construct_memory_view %d, sizes: [256, 256], strides: [256, 1] {coordinate_set = affine_set<(d0,d1) : (d0 >= 0, -d0 + 255 >= 0, d1 >= 0, -d1 + 255 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<256x256xf16>
    %da = ktdp.construct_access_tile %dv[%z, %z] {access_tile_set = affine_set<(d0,d1) : (d0 >= 0, -d0 + 255 >= 0, d1 >= 0, -d1 + 255 >= 0)>, access_tile_order = affine_map<(d0,d1) -> (d0,d1)>} : memref<256x256xf16> -> !ktdp.access_tile<256x256xindex>
    %dt = ktdp.load %da : !ktdp.access_tile<256x256xindex> -> tensor<256x256xf16>
    %dw = arith.extf %dt : tensor<256x256xf16> to tensor<256x256xf32>
    %g = math.exp %y0 : tensor<256x256xf32>
    %y1 = arith.mulf %g, %dw : tensor<256x256xf32>
    %o = arith.truncf %y1 : tensor<256x256xf32> to tensor<256x256xf16>
    ktdp.store %o, %ca : tensor<256x256xf16>, !ktdp.access_tile<256x256xindex>
    return
  }
}

