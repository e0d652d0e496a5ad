// RUN: headrace-opt --tensor-legalization --split-input-file --verify-diagnostics %s | filecheck %s

// A maximum and a sum that is rescaled by it: both live in the scratchpad. The sum is stored first, since it needs the
// old maximum.

ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @online(
// CHECK-COUNT-2: ktdp.store
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK: %[[L:.*]] = arith.addf
// CHECK: ktdp.store %[[L]]
// CHECK: ktdp.store
// CHECK-NEXT: }
// CHECK: ktdp.load
func.func @online(%x: index, %o: index) attributes {grid = [1]} {
  %cst0 = arith.constant dense<0xFF800000> : tensor<32xf32>
  %cst1 = arith.constant dense<0.000000e+00> : tensor<32xf32>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c16 = arith.constant 16 : index
  %x_v1 = ktdp.construct_memory_view %x, sizes: [64, 32], strides: [32, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 31 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<64x32xf32>
  %o_v2 = ktdp.construct_memory_view %o, sizes: [32], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 31 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<32xf32>
  %for4:2 = scf.for %iv3 = %c0 to %c64 step %c16 iter_args(%it5 = %cst0, %it6 = %cst1) -> (tensor<32xf32>, tensor<32xf32>) {
    %t7 = ktdp.construct_access_tile %x_v1[%iv3, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<64x32xf32> -> !ktdp.access_tile<16x32xindex>
    %x8 = ktdp.load %t7 : !ktdp.access_tile<16x32xindex> -> tensor<16x32xf32>
    %r9 = linalg.reduce { arith.maximumf } ins(%x8 : tensor<16x32xf32>) outs(%cst0 : tensor<32xf32>) dimensions = [0]
    %e10 = arith.maximumf %it5, %r9 : tensor<32xf32>
    %e11 = arith.subf %it5, %e10 : tensor<32xf32>
    %e12 = math.exp %e11 : tensor<32xf32>
    %e13 = arith.mulf %it6, %e12 : tensor<32xf32>
    %em14 = tensor.empty() : tensor<16x32xf32>
    %b15 = linalg.broadcast ins(%e10 : tensor<32xf32>) outs(%em14 : tensor<16x32xf32>) dimensions = [0]
    %e16 = arith.subf %x8, %b15 : tensor<16x32xf32>
    %e17 = math.exp %e16 : tensor<16x32xf32>
    %r18 = linalg.reduce { arith.addf } ins(%e17 : tensor<16x32xf32>) outs(%cst1 : tensor<32xf32>) dimensions = [0]
    %e19 = arith.addf %e13, %r18 : tensor<32xf32>
    scf.yield %e10, %e19 : tensor<32xf32>, tensor<32xf32>
  }
  %t20 = ktdp.construct_access_tile %o_v2[0] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 31 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<32xf32> -> !ktdp.access_tile<32xindex>
  ktdp.store %for4#1, %t20 : tensor<32xf32>, !ktdp.access_tile<32xindex>
  return
}

// -----

// States that take each other's values go through a copy.

ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @swapped(
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK-COUNT-3: ktdp.store
// CHECK-NEXT: }
func.func @swapped(%x: index, %o: index) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  %x_v1 = ktdp.construct_memory_view %x, sizes: [32], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 31 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<32xf32>
  %o_v2 = ktdp.construct_memory_view %o, sizes: [32], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 31 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<32xf32>
  %t3 = ktdp.construct_access_tile %x_v1[0] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 31 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<32xf32> -> !ktdp.access_tile<32xindex>
  %x4 = ktdp.load %t3 : !ktdp.access_tile<32xindex> -> tensor<32xf32>
  %e5 = arith.addf %x4, %x4 : tensor<32xf32>
  %for7:2 = scf.for %iv6 = %c0 to %c3 step %c1 iter_args(%it8 = %x4, %it9 = %e5) -> (tensor<32xf32>, tensor<32xf32>) {
    scf.yield %it9, %it8 : tensor<32xf32>, tensor<32xf32>
  }
  %t10 = ktdp.construct_access_tile %o_v2[0] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 31 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<32xf32> -> !ktdp.access_tile<32xindex>
  ktdp.store %for7#0, %t10 : tensor<32xf32>, !ktdp.access_tile<32xindex>
  return
}

// -----

// A loop that gathers one contribution per iteration stays a reduction.

ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @sums(
// CHECK: scf.for {{.*}} iter_args
// CHECK-COUNT-1: ktdp.store
func.func @sums(%x: index, %o: index) attributes {grid = [1]} {
  %cst0 = arith.constant dense<0.000000e+00> : tensor<16x32xf32>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c16 = arith.constant 16 : index
  %x_v1 = ktdp.construct_memory_view %x, sizes: [64, 32], strides: [32, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 31 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<64x32xf32>
  %o_v2 = ktdp.construct_memory_view %o, sizes: [16, 32], strides: [32, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 31 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<16x32xf32>
  %for4 = scf.for %iv3 = %c0 to %c64 step %c16 iter_args(%it5 = %cst0) -> (tensor<16x32xf32>) {
    %t6 = ktdp.construct_access_tile %x_v1[%iv3, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<64x32xf32> -> !ktdp.access_tile<16x32xindex>
    %x7 = ktdp.load %t6 : !ktdp.access_tile<16x32xindex> -> tensor<16x32xf32>
    %e8 = arith.addf %it5, %x7 : tensor<16x32xf32>
    scf.yield %e8 : tensor<16x32xf32>
  }
  %t9 = ktdp.construct_access_tile %o_v2[0, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<16x32xf32> -> !ktdp.access_tile<16x32xindex>
  ktdp.store %for4, %t9 : tensor<16x32xf32>, !ktdp.access_tile<16x32xindex>
  return
}

// -----

ktdf_arch.device @sample import("sample.mlir")
func.func @dynamic(%x: index, %o: index, %n: index) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %xv = ktdp.construct_memory_view %x, sizes: [%n], strides: [1] {coordinate_set = affine_set<(i)[n] : (i >= 0, -i + n - 1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<?xf32>
  %t = ktdp.construct_access_tile %xv[%c0] symbols(%n) {access_tile_set = affine_set<(i)[n] : (i >= 0, -i + n - 1 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<?xf32> -> !ktdp.access_tile<?xindex>
  %a = ktdp.load %t : <?xindex> -> tensor<?xf32>
  // expected-error @below {{a carried tensor of extents only known at launch is not supported by tensor-legalization}}
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %a) -> (tensor<?xf32>) {
    %e = math.exp %p : tensor<?xf32>
    %s = arith.addf %e, %p : tensor<?xf32>
    %u = arith.mulf %s, %p : tensor<?xf32>
    scf.yield %u : tensor<?xf32>
  }
  %ov = ktdp.construct_memory_view %o, sizes: [%n], strides: [1] {coordinate_set = affine_set<(i)[n] : (i >= 0, -i + n - 1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<?xf32>
  %ot = ktdp.construct_access_tile %ov[%c0] symbols(%n) {access_tile_set = affine_set<(i)[n] : (i >= 0, -i + n - 1 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<?xf32> -> !ktdp.access_tile<?xindex>
  ktdp.store %r, %ot : tensor<?xf32>, <?xindex>
  return
}

// -----

// A sum whose contribution cannot stay in the loop's pipeline (the bins meet the elements crosswise, so that the
// comparison is kept): the sum is a state as well.

ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @histogram(
// CHECK: ktdp.store
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK: ktdp.store
// CHECK: arith.addi %{{.*}}, %{{.*}} : tensor<8xi32>
// CHECK: ktdp.store
// CHECK: }
func.func @histogram(%x: index, %h: index) attributes {grid = [1]} {
  %xv = ktdp.construct_memory_view %x, sizes: [512], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 511 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<512xi32>
  %hv = ktdp.construct_memory_view %h, sizes: [8], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 7 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<8xi32>
  %zero = arith.constant dense<0> : tensor<8xi32>
  %c0 = arith.constant 0 : index
  %c512 = arith.constant 512 : index
  %c64 = arith.constant 64 : index
  %r = scf.for %i = %c0 to %c512 step %c64 iter_args(%sum = %zero) -> (tensor<8xi32>) {
    %t = ktdp.construct_access_tile %xv[%i] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 63 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<512xi32> -> !ktdp.access_tile<64xindex>
    %v = ktdp.load %t : !ktdp.access_tile<64xindex> -> tensor<64xi32>
    %e = tensor.empty() : tensor<8x64xi32>
    %bins = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<8x64xi32>) {
    ^bb0(%o: i32):
      %k = linalg.index 0 : index
      %n = arith.index_cast %k : index to i32
      linalg.yield %n : i32
    } -> tensor<8x64xi32>
    %b = linalg.broadcast ins(%v : tensor<64xi32>) outs(%e : tensor<8x64xi32>) dimensions = [0]
    %hit = arith.cmpi eq, %bins, %b : tensor<8x64xi32>
    %one = arith.extui %hit : tensor<8x64xi1> to tensor<8x64xi32>
    %c = linalg.reduce { arith.addi } ins(%one : tensor<8x64xi32>) outs(%zero : tensor<8xi32>) dimensions = [1]
    %s = arith.addi %sum, %c : tensor<8xi32>
    scf.yield %s : tensor<8xi32>
  }
  %u = ktdp.construct_access_tile %hv[0] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 7 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<8xi32> -> !ktdp.access_tile<8xindex>
  ktdp.store %r, %u : tensor<8xi32>, !ktdp.access_tile<8xindex>
  return
}

// -----

// A second loop goes on with the states of the first one where they are: nothing is copied, no memory is added.

ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @goes_on(
// CHECK-COUNT-2: ktdp.construct_memory_view {{.*}}memory_space<ct_local>
// CHECK-NOT: memory_space<ct_local>
// CHECK: return
func.func @goes_on(%x: index, %o: index) attributes {grid = [1]} {
  %cst0 = arith.constant dense<0xFF800000> : tensor<32xf32>
  %cst1 = arith.constant dense<0.000000e+00> : tensor<32xf32>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c16 = arith.constant 16 : index
  %x_v1 = ktdp.construct_memory_view %x, sizes: [64, 32], strides: [32, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 31 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<64x32xf32>
  %o_v2 = ktdp.construct_memory_view %o, sizes: [32], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 31 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<32xf32>
  %for4:2 = scf.for %iv3 = %c0 to %c64 step %c16 iter_args(%it5 = %cst0, %it6 = %cst1) -> (tensor<32xf32>, tensor<32xf32>) {
    %t7 = ktdp.construct_access_tile %x_v1[%iv3, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<64x32xf32> -> !ktdp.access_tile<16x32xindex>
    %x8 = ktdp.load %t7 : !ktdp.access_tile<16x32xindex> -> tensor<16x32xf32>
    %r9 = linalg.reduce { arith.maximumf } ins(%x8 : tensor<16x32xf32>) outs(%cst0 : tensor<32xf32>) dimensions = [0]
    %e10 = arith.maximumf %it5, %r9 : tensor<32xf32>
    %e11 = arith.subf %it5, %e10 : tensor<32xf32>
    %e12 = math.exp %e11 : tensor<32xf32>
    %e13 = arith.mulf %it6, %e12 : tensor<32xf32>
    %em14 = tensor.empty() : tensor<16x32xf32>
    %b15 = linalg.broadcast ins(%e10 : tensor<32xf32>) outs(%em14 : tensor<16x32xf32>) dimensions = [0]
    %e16 = arith.subf %x8, %b15 : tensor<16x32xf32>
    %e17 = math.exp %e16 : tensor<16x32xf32>
    %r18 = linalg.reduce { arith.addf } ins(%e17 : tensor<16x32xf32>) outs(%cst1 : tensor<32xf32>) dimensions = [0]
    %e19 = arith.addf %e13, %r18 : tensor<32xf32>
    scf.yield %e10, %e19 : tensor<32xf32>, tensor<32xf32>
  }
  %sfor4:2 = scf.for %siv3 = %c16 to %c64 step %c16 iter_args(%sit5 = %for4#0, %sit6 = %for4#1) -> (tensor<32xf32>, tensor<32xf32>) {
    %st7 = ktdp.construct_access_tile %x_v1[%siv3, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<64x32xf32> -> !ktdp.access_tile<16x32xindex>
    %sx8 = ktdp.load %st7 : !ktdp.access_tile<16x32xindex> -> tensor<16x32xf32>
    %sr9 = linalg.reduce { arith.maximumf } ins(%sx8 : tensor<16x32xf32>) outs(%cst0 : tensor<32xf32>) dimensions = [0]
    %se10 = arith.maximumf %sit5, %sr9 : tensor<32xf32>
    %se11 = arith.subf %sit5, %se10 : tensor<32xf32>
    %se12 = math.exp %se11 : tensor<32xf32>
    %se13 = arith.mulf %sit6, %se12 : tensor<32xf32>
    %sem14 = tensor.empty() : tensor<16x32xf32>
    %sb15 = linalg.broadcast ins(%se10 : tensor<32xf32>) outs(%sem14 : tensor<16x32xf32>) dimensions = [0]
    %se16 = arith.subf %sx8, %sb15 : tensor<16x32xf32>
    %se17 = math.exp %se16 : tensor<16x32xf32>
    %sr18 = linalg.reduce { arith.addf } ins(%se17 : tensor<16x32xf32>) outs(%cst1 : tensor<32xf32>) dimensions = [0]
    %se19 = arith.addf %se13, %sr18 : tensor<32xf32>
    scf.yield %se10, %se19 : tensor<32xf32>, tensor<32xf32>
  }
  %t20 = ktdp.construct_access_tile %o_v2[0] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 31 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<32xf32> -> !ktdp.access_tile<32xindex>
  ktdp.store %sfor4#1, %t20 : tensor<32xf32>, !ktdp.access_tile<32xindex>
  return
}


// -----

// What is needed behind the second loop too has to stay.

ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @needed_twice(
// CHECK-COUNT-3: ktdp.construct_memory_view {{.*}}memory_space<ct_local>
// CHECK-NOT: memory_space<ct_local>
// CHECK: return
func.func @needed_twice(%x: index, %o: index) attributes {grid = [1]} {
  %cst0 = arith.constant dense<0xFF800000> : tensor<32xf32>
  %cst1 = arith.constant dense<0.000000e+00> : tensor<32xf32>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c16 = arith.constant 16 : index
  %x_v1 = ktdp.construct_memory_view %x, sizes: [64, 32], strides: [32, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 31 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<64x32xf32>
  %o_v2 = ktdp.construct_memory_view %o, sizes: [32], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 31 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<32xf32>
  %for4:2 = scf.for %iv3 = %c0 to %c64 step %c16 iter_args(%it5 = %cst0, %it6 = %cst1) -> (tensor<32xf32>, tensor<32xf32>) {
    %t7 = ktdp.construct_access_tile %x_v1[%iv3, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<64x32xf32> -> !ktdp.access_tile<16x32xindex>
    %x8 = ktdp.load %t7 : !ktdp.access_tile<16x32xindex> -> tensor<16x32xf32>
    %r9 = linalg.reduce { arith.maximumf } ins(%x8 : tensor<16x32xf32>) outs(%cst0 : tensor<32xf32>) dimensions = [0]
    %e10 = arith.maximumf %it5, %r9 : tensor<32xf32>
    %e11 = arith.subf %it5, %e10 : tensor<32xf32>
    %e12 = math.exp %e11 : tensor<32xf32>
    %e13 = arith.mulf %it6, %e12 : tensor<32xf32>
    %em14 = tensor.empty() : tensor<16x32xf32>
    %b15 = linalg.broadcast ins(%e10 : tensor<32xf32>) outs(%em14 : tensor<16x32xf32>) dimensions = [0]
    %e16 = arith.subf %x8, %b15 : tensor<16x32xf32>
    %e17 = math.exp %e16 : tensor<16x32xf32>
    %r18 = linalg.reduce { arith.addf } ins(%e17 : tensor<16x32xf32>) outs(%cst1 : tensor<32xf32>) dimensions = [0]
    %e19 = arith.addf %e13, %r18 : tensor<32xf32>
    scf.yield %e10, %e19 : tensor<32xf32>, tensor<32xf32>
  }
  %sfor4:2 = scf.for %siv3 = %c16 to %c64 step %c16 iter_args(%sit5 = %for4#0, %sit6 = %for4#1) -> (tensor<32xf32>, tensor<32xf32>) {
    %st7 = ktdp.construct_access_tile %x_v1[%siv3, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 31 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<64x32xf32> -> !ktdp.access_tile<16x32xindex>
    %sx8 = ktdp.load %st7 : !ktdp.access_tile<16x32xindex> -> tensor<16x32xf32>
    %sr9 = linalg.reduce { arith.maximumf } ins(%sx8 : tensor<16x32xf32>) outs(%cst0 : tensor<32xf32>) dimensions = [0]
    %se10 = arith.maximumf %sit5, %sr9 : tensor<32xf32>
    %se11 = arith.subf %sit5, %se10 : tensor<32xf32>
    %se12 = math.exp %se11 : tensor<32xf32>
    %se13 = arith.mulf %sit6, %se12 : tensor<32xf32>
    %sem14 = tensor.empty() : tensor<16x32xf32>
    %sb15 = linalg.broadcast ins(%se10 : tensor<32xf32>) outs(%sem14 : tensor<16x32xf32>) dimensions = [0]
    %se16 = arith.subf %sx8, %sb15 : tensor<16x32xf32>
    %se17 = math.exp %se16 : tensor<16x32xf32>
    %sr18 = linalg.reduce { arith.addf } ins(%se17 : tensor<16x32xf32>) outs(%cst1 : tensor<32xf32>) dimensions = [0]
    %se19 = arith.addf %se13, %sr18 : tensor<32xf32>
    scf.yield %se10, %se19 : tensor<32xf32>, tensor<32xf32>
  }
  %sum = arith.addf %for4#1, %sfor4#1 : tensor<32xf32>
  %t20 = ktdp.construct_access_tile %o_v2[0] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 31 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<32xf32> -> !ktdp.access_tile<32xindex>
  ktdp.store %sum, %t20 : tensor<32xf32>, !ktdp.access_tile<32xindex>
  return
}

// -----

// A sum whose terms are made from the number of the iteration (a mask against the end of the rows) is a state, too:
// inside of a program that number is no scalar.

ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @masked_sum(
// CHECK: ktdp.store
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK: %[[OLD:.*]] = ktdp.load
// CHECK: tensor.splat %[[I]] : tensor<64xindex>
// CHECK: %[[NEW:.*]] = arith.addf %[[OLD]], %{{.*}} : tensor<64xf32>
// CHECK: ktdp.store %[[NEW]]
// CHECK: }
func.func @masked_sum(%x: index, %o: index) attributes {grid = [1]} {
  %zero = arith.constant dense<0.000000e+00> : tensor<64xf32>
  %end = arith.constant dense<150> : tensor<64xindex>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c192 = arith.constant 192 : index
  %xv = ktdp.construct_memory_view %x, sizes: [192], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 191 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<192xf32>
  %ov = ktdp.construct_memory_view %o, sizes: [64], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<64xf32>
  %r = scf.for %i = %c0 to %c192 step %c64 iter_args(%sum = %zero) -> (tensor<64xf32>) {
    %t = ktdp.construct_access_tile %xv[%i] {access_tile_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<192xf32> -> !ktdp.access_tile<64xindex>
    %a = ktdp.load %t : <64xindex> -> tensor<64xf32>
    %first = tensor.splat %i : tensor<64xindex>
    %inside = arith.cmpi slt, %first, %end : tensor<64xindex>
    %b = arith.select %inside, %a, %zero : tensor<64xi1>, tensor<64xf32>
    %s = arith.addf %sum, %b : tensor<64xf32>
    scf.yield %s : tensor<64xf32>
  }
  %ot = ktdp.construct_access_tile %ov[0] {access_tile_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<64xf32> -> !ktdp.access_tile<64xindex>
  ktdp.store %r, %ot : tensor<64xf32>, <64xindex>
  return
}
