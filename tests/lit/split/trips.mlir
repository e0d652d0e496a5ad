// RUN: headrace-opt --tensor-legalization --split-input-file %s | filecheck %s

// The loop over two programs ends at another place on every tile: all run four iterations, under a condition.

ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @triangle(
// CHECK: %[[MINE:.*]] = arith.addi
// CHECK: %[[MOST:.*]] = arith.constant 64 : index
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[MOST]] step
// CHECK: %[[C:.*]] = arith.cmpi slt, %[[I]], %[[MINE]]
// CHECK: scf.if %[[C]] {
// CHECK-COUNT-2: ktdp.store
func.func @triangle(%x: index, %t: index, %o: index) attributes {grid = [4]} {
  %c16 = arith.constant 16 : index
  %c0 = arith.constant 0 : index
  %c512 = arith.constant 512 : index
  %cst3 = arith.constant dense<0.000000e+00> : tensor<32xf32>
  %pid1 = ktdp.get_compute_tile_id : index
  %x_v2 = ktdp.construct_memory_view %x, sizes: [64, 32], strides: [32, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 31 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<64x32xf32>
  %o_v3 = ktdp.construct_memory_view %o, sizes: [64, 32], strides: [32, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 31 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<64x32xf32>
  %t_v4 = ktdp.construct_memory_view %t, sizes: [4, 16, 32], strides: [512, 32, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 15 >= 0, d2 >= 0, -d2 + 31 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4x16x32xf32>
  %s5 = arith.muli %pid1, %c16 : index
  %s6 = arith.addi %s5, %c16 : index
  %c0_v7 = ktdp.construct_memory_view %c0, sizes: [16, 32], strides: [32, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 31 >= 0)>, memory_space = #ktdp.memory_space<ct_local>} : memref<16x32xf32>
  %c512_v8 = ktdp.construct_memory_view %c512, sizes: [32], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 31 >= 0)>, memory_space = #ktdp.memory_space<ct_local>} : memref<32xf32>
  scf.for %iv9 = %c0 to %s6 step %c16 {
    %t11 = ktdp.construct_access_tile %x_v2[%iv9, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<64x32xf32> -> !ktdp.access_tile<16x32xindex>
    %x12 = ktdp.load %t11 : !ktdp.access_tile<16x32xindex> -> tensor<16x32xf32>
    %e13 = math.exp %x12 : tensor<16x32xf32>
    %t14 = ktdp.construct_access_tile %c0_v7[0, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<16x32xf32> -> !ktdp.access_tile<16x32xindex>
    ktdp.store %e13, %t14 : tensor<16x32xf32>, !ktdp.access_tile<16x32xindex>
    %t15 = ktdp.construct_access_tile %c0_v7[0, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<16x32xf32> -> !ktdp.access_tile<16x32xindex>
    %x16 = ktdp.load %t15 : !ktdp.access_tile<16x32xindex> -> tensor<16x32xf32>
    %t17 = ktdp.construct_access_tile %c0_v7[0, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<16x32xf32> -> !ktdp.access_tile<16x32xindex>
    %x18 = ktdp.load %t17 : !ktdp.access_tile<16x32xindex> -> tensor<16x32xf32>
    %r19 = linalg.reduce { arith.addf } ins(%x18 : tensor<16x32xf32>) outs(%cst3 : tensor<32xf32>) dimensions = [0]
    %t20 = ktdp.construct_access_tile %c512_v8[0] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 31 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<32xf32> -> !ktdp.access_tile<32xindex>
    ktdp.store %r19, %t20 : tensor<32xf32>, !ktdp.access_tile<32xindex>
  }
  %t21 = ktdp.construct_access_tile %c512_v8[0] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 31 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<32xf32> -> !ktdp.access_tile<32xindex>
  %x22 = ktdp.load %t21 : !ktdp.access_tile<32xindex> -> tensor<32xf32>
  %o_v23 = ktdp.construct_memory_view %o, sizes: [4, 32], strides: [32, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 31 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4x32xf32>
  %x24 = tensor.expand_shape %x22 [[0, 1]] output_shape [1, 32] : tensor<32xf32> into tensor<1x32xf32>
  %t25 = ktdp.construct_access_tile %o_v23[%pid1, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<4x32xf32> -> !ktdp.access_tile<1x32xindex>
  ktdp.store %x24, %t25 : tensor<1x32xf32>, !ktdp.access_tile<1x32xindex>
  return
}

// -----

// One program, but the rows that it writes do not follow the loop variable in equal steps, so that it cannot take the
// loop along: the coordinator runs the three rounds of the busiest tile.

ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @persistent(
// CHECK: scf.for %[[ROUND:.*]] = %{{.*}} to %{{.*}} step
// CHECK: %[[BLOCK:.*]] = arith.addi %[[FIRST:.*]], %{{.*}} : index
// CHECK: %[[C:.*]] = arith.cmpi slt, %[[BLOCK]], %{{.*}} : index
// CHECK: scf.if %[[C]] {
// CHECK: arith.divsi %[[BLOCK]]
// CHECK: ktdp.store
func.func @persistent(%x: index, %o: index) attributes {grid = [5]} {
  %c12 = arith.constant 12 : index
  %c5 = arith.constant 5 : index
  %c3 = arith.constant 3 : index
  %c32 = arith.constant 32 : index
  %pid = ktdp.get_compute_tile_id : index
  %xv = ktdp.construct_memory_view %x, sizes: [4, 96], strides: [96, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 95 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4x96xf32>
  %ov = ktdp.construct_memory_view %o, sizes: [4, 96], strides: [96, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 95 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4x96xf32>
  scf.for %b = %pid to %c12 step %c5 {
    %r = arith.divsi %b, %c3 : index
    %m = arith.remsi %b, %c3 : index
    %c = arith.muli %m, %c32 : index
    %t = ktdp.construct_access_tile %xv[%r, %c] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<4x96xf32> -> !ktdp.access_tile<1x32xindex>
    %v = ktdp.load %t : !ktdp.access_tile<1x32xindex> -> tensor<1x32xf32>
    %e = math.exp %v : tensor<1x32xf32>
    %u = ktdp.construct_access_tile %ov[%r, %c] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<4x96xf32> -> !ktdp.access_tile<1x32xindex>
    ktdp.store %e, %u : tensor<1x32xf32>, !ktdp.access_tile<1x32xindex>
  }
  return
}
