// RUN: headrace-opt --loop-bound-legalization --split-input-file --verify-diagnostics %s | filecheck %s

// An access that moves with the variable cannot go beyond its view: 8 iterations at most, and a condition.

ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @by_access(
// CHECK: %[[N:.*]] = arith.index_cast
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %c8 step
// CHECK-NEXT: %[[GO:.*]] = arith.cmpi slt, %[[I]], %[[N]] : index
// CHECK-NEXT: scf.if %[[GO]] {
// CHECK-NEXT: ktdp.construct_access_tile
// CHECK: ktdp.store
func.func @by_access(%lens: index, %x: index, %y: index) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %nv = ktdp.construct_memory_view %lens, sizes: [4], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 3 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4xi32>
  %nt = ktdp.construct_access_tile %nv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<4xi32> -> !ktdp.access_tile<1xindex>
  %nl = ktdp.load %nt : <1xindex> -> tensor<1xi32>
  %ne = tensor.extract %nl[%c0] : tensor<1xi32>
  %n = arith.index_cast %ne : i32 to index
  %xv = ktdp.construct_memory_view %x, sizes: [8], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 7 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<8xf32>
  %yv = ktdp.construct_memory_view %y, sizes: [64], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<64xf32>
  scf.for %i = %c0 to %n step %c1 {
    %t = ktdp.construct_access_tile %xv[%i] {access_tile_set = affine_set<(i) : (i >= 0, -i + 0 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<8xf32> -> !ktdp.access_tile<1xindex>
    %v = ktdp.load %t : <1xindex> -> tensor<1xf32>
    %u = ktdp.construct_access_tile %yv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i + 0 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<64xf32> -> !ktdp.access_tile<1xindex>
    ktdp.store %v, %u : tensor<1xf32>, <1xindex>
  }
  return
}

// -----

// Blocks of 4 at every eighth element of 30: the last one begins at 24 (a block at 32 has no room).

ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @by_block(
// CHECK: scf.for %{{.*}} = %{{.*}} to %c27{{.*}} step
func.func @by_block(%lens: index, %x: index, %y: index) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %nv = ktdp.construct_memory_view %lens, sizes: [4], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 3 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4xi32>
  %nt = ktdp.construct_access_tile %nv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<4xi32> -> !ktdp.access_tile<1xindex>
  %nl = ktdp.load %nt : <1xindex> -> tensor<1xi32>
  %ne = tensor.extract %nl[%c0] : tensor<1xi32>
  %n = arith.index_cast %ne : i32 to index
  %xv = ktdp.construct_memory_view %x, sizes: [30], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 29 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<30xf32>
  %yv = ktdp.construct_memory_view %y, sizes: [64], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<64xf32>
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %n step %c8 {
    %t = ktdp.construct_access_tile %xv[%i] {access_tile_set = affine_set<(i) : (i >= 0, -i + 3 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<30xf32> -> !ktdp.access_tile<4xindex>
    %v = ktdp.load %t : <4xindex> -> tensor<4xf32>
    %u = ktdp.construct_access_tile %yv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i + 3 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<64xf32> -> !ktdp.access_tile<4xindex>
    ktdp.store %v, %u : tensor<4xf32>, <4xindex>
  }
  return
}

// -----

// The variable enters the coordinate three times: 3 i + 1 < 8.

ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @by_scaled_coordinate(
// CHECK: scf.for %{{.*}} = %{{.*}} to %c3{{.*}} step
func.func @by_scaled_coordinate(%lens: index, %x: index, %y: index) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %nv = ktdp.construct_memory_view %lens, sizes: [4], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 3 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4xi32>
  %nt = ktdp.construct_access_tile %nv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<4xi32> -> !ktdp.access_tile<1xindex>
  %nl = ktdp.load %nt : <1xindex> -> tensor<1xi32>
  %ne = tensor.extract %nl[%c0] : tensor<1xi32>
  %n = arith.index_cast %ne : i32 to index
  %xv = ktdp.construct_memory_view %x, sizes: [8], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 7 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<8xf32>
  %yv = ktdp.construct_memory_view %y, sizes: [64], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<64xf32>
  %c3_0 = arith.constant 3 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = arith.muli %i, %c3_0 : index
    %t = ktdp.construct_access_tile %xv[%a + 1] {access_tile_set = affine_set<(i) : (i >= 0, -i + 0 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<8xf32> -> !ktdp.access_tile<1xindex>
    %v = ktdp.load %t : <1xindex> -> tensor<1xf32>
    %u = ktdp.construct_access_tile %yv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i + 0 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<64xf32> -> !ktdp.access_tile<1xindex>
    ktdp.store %v, %u : tensor<1xf32>, <1xindex>
  }
  return
}

// -----

// Where the first value is loaded, the loop counts from 0: a coordinate that moves by one has 8 places.

ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @loaded_first(
// CHECK: %[[N:.*]] = arith.index_cast
// CHECK: scf.for %[[J:.*]] = %{{.*}} to %c8 step
// CHECK-NEXT: %[[I:.*]] = arith.addi %[[N]], %[[J]] : index
// CHECK-NEXT: %[[GO:.*]] = arith.cmpi slt, %[[I]], %c40 : index
// CHECK-NEXT: scf.if %[[GO]] {
// CHECK-NEXT: ktdp.construct_access_tile %{{.*}}[%[[I]]]
func.func @loaded_first(%lens: index, %x: index, %y: index) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %nv = ktdp.construct_memory_view %lens, sizes: [4], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 3 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4xi32>
  %nt = ktdp.construct_access_tile %nv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<4xi32> -> !ktdp.access_tile<1xindex>
  %nl = ktdp.load %nt : <1xindex> -> tensor<1xi32>
  %ne = tensor.extract %nl[%c0] : tensor<1xi32>
  %n = arith.index_cast %ne : i32 to index
  %xv = ktdp.construct_memory_view %x, sizes: [8], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 7 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<8xf32>
  %yv = ktdp.construct_memory_view %y, sizes: [64], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<64xf32>
  %c40 = arith.constant 40 : index
  scf.for %i = %n to %c40 step %c1 {
    %t = ktdp.construct_access_tile %xv[%i] {access_tile_set = affine_set<(i) : (i >= 0, -i + 0 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<8xf32> -> !ktdp.access_tile<1xindex>
    %v = ktdp.load %t : <1xindex> -> tensor<1xf32>
    %u = ktdp.construct_access_tile %yv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i + 0 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<64xf32> -> !ktdp.access_tile<1xindex>
    ktdp.store %v, %u : tensor<1xf32>, <1xindex>
  }
  return
}

// -----

// How often is known although the first value is not: no condition.

ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @known_trips(
// CHECK: scf.for %{{.*}} = %{{.*}} to %c5{{.*}} step
// CHECK-NOT: scf.if
func.func @known_trips(%lens: index, %x: index, %y: index) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %nv = ktdp.construct_memory_view %lens, sizes: [4], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 3 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4xi32>
  %nt = ktdp.construct_access_tile %nv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<4xi32> -> !ktdp.access_tile<1xindex>
  %nl = ktdp.load %nt : <1xindex> -> tensor<1xi32>
  %ne = tensor.extract %nl[%c0] : tensor<1xi32>
  %n = arith.index_cast %ne : i32 to index
  %xv = ktdp.construct_memory_view %x, sizes: [8], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 7 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<8xf32>
  %yv = ktdp.construct_memory_view %y, sizes: [64], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<64xf32>
  %c5 = arith.constant 5 : index
  %end = arith.addi %n, %c5 : index
  scf.for %i = %n to %end step %c1 {
    %t = ktdp.construct_access_tile %xv[%i] {access_tile_set = affine_set<(i) : (i >= 0, -i + 0 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<8xf32> -> !ktdp.access_tile<1xindex>
    %v = ktdp.load %t : <1xindex> -> tensor<1xf32>
    %u = ktdp.construct_access_tile %yv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i + 0 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<64xf32> -> !ktdp.access_tile<1xindex>
    ktdp.store %v, %u : tensor<1xf32>, <1xindex>
  }
  return
}

// -----

// Nothing moves with the variable, but the bound is at most 6, in blocks of 4 at most 2.

ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @by_minimum(
// CHECK: scf.for %{{.*}} = %{{.*}} to %c2{{.*}} step
func.func @by_minimum(%lens: index, %x: index, %y: index) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %nv = ktdp.construct_memory_view %lens, sizes: [4], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 3 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4xi32>
  %nt = ktdp.construct_access_tile %nv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<4xi32> -> !ktdp.access_tile<1xindex>
  %nl = ktdp.load %nt : <1xindex> -> tensor<1xi32>
  %ne = tensor.extract %nl[%c0] : tensor<1xi32>
  %n = arith.index_cast %ne : i32 to index
  %xv = ktdp.construct_memory_view %x, sizes: [8], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 7 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<8xf32>
  %yv = ktdp.construct_memory_view %y, sizes: [64], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<64xf32>
  %six = arith.constant 6 : i32
  %c4 = arith.constant 4 : index
  %few = arith.minsi %ne, %six : i32
  %m = arith.index_cast %few : i32 to index
  %b = arith.ceildivsi %m, %c4 : index
  scf.for %i = %c0 to %b step %c1 {
    %t = ktdp.construct_access_tile %xv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i + 0 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<8xf32> -> !ktdp.access_tile<1xindex>
    %v = ktdp.load %t : <1xindex> -> tensor<1xf32>
    %u = ktdp.construct_access_tile %yv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i + 0 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<64xf32> -> !ktdp.access_tile<1xindex>
    ktdp.store %v, %u : tensor<1xf32>, <1xindex>
  }
  return
}

// -----

// The limit is an argument: no number, but known at launch.

ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @by_launch(
// CHECK-SAME: %[[MOST:[^:]*]]: index)
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[MOST]] step
func.func @by_launch(%lens: index, %x: index, %y: index, %most: index) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %nv = ktdp.construct_memory_view %lens, sizes: [4], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 3 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4xi32>
  %nt = ktdp.construct_access_tile %nv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<4xi32> -> !ktdp.access_tile<1xindex>
  %nl = ktdp.load %nt : <1xindex> -> tensor<1xi32>
  %ne = tensor.extract %nl[%c0] : tensor<1xi32>
  %n = arith.index_cast %ne : i32 to index
  %xv = ktdp.construct_memory_view %x, sizes: [8], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 7 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<8xf32>
  %yv = ktdp.construct_memory_view %y, sizes: [64], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<64xf32>
  %few = arith.minsi %n, %most : index
  scf.for %i = %c0 to %few step %c1 {
    %t = ktdp.construct_access_tile %xv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i + 0 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<8xf32> -> !ktdp.access_tile<1xindex>
    %v = ktdp.load %t : <1xindex> -> tensor<1xf32>
    %u = ktdp.construct_access_tile %yv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i + 0 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<64xf32> -> !ktdp.access_tile<1xindex>
    ktdp.store %v, %u : tensor<1xf32>, <1xindex>
  }
  return
}

// -----

// The room that is left differs from tile to tile: 30 - 8 me.

ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @by_tile(
// CHECK: %[[ME:.*]] = ktdp.get_compute_tile_id
// CHECK: %[[USED:.*]] = arith.muli %[[ME]], %c-8
// CHECK: %[[LEFT:.*]] = arith.addi %[[USED]], %c29
// CHECK: %[[END:.*]] = arith.addi %[[LEFT]], %c1
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[END]] step
func.func @by_tile(%lens: index, %x: index, %y: index) attributes {grid = [3]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %nv = ktdp.construct_memory_view %lens, sizes: [4], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 3 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4xi32>
  %nt = ktdp.construct_access_tile %nv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<4xi32> -> !ktdp.access_tile<1xindex>
  %nl = ktdp.load %nt : <1xindex> -> tensor<1xi32>
  %ne = tensor.extract %nl[%c0] : tensor<1xi32>
  %n = arith.index_cast %ne : i32 to index
  %xv = ktdp.construct_memory_view %x, sizes: [30], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 29 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<30xf32>
  %yv = ktdp.construct_memory_view %y, sizes: [64], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<64xf32>
  %me = ktdp.get_compute_tile_id : index
  %c8 = arith.constant 8 : index
  %o = arith.muli %me, %c8 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = arith.addi %o, %i : index
    %t = ktdp.construct_access_tile %xv[%a] {access_tile_set = affine_set<(i) : (i >= 0, -i + 0 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<30xf32> -> !ktdp.access_tile<1xindex>
    %v = ktdp.load %t : <1xindex> -> tensor<1xf32>
    %u = ktdp.construct_access_tile %yv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i + 0 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<64xf32> -> !ktdp.access_tile<1xindex>
    ktdp.store %v, %u : tensor<1xf32>, <1xindex>
  }
  return
}

// -----

// A coordinate that falls stays above zero: 5 - i.

ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @falling(
// CHECK: scf.for %{{.*}} = %{{.*}} to %c6{{.*}} step
func.func @falling(%lens: index, %x: index, %y: index) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %nv = ktdp.construct_memory_view %lens, sizes: [4], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 3 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4xi32>
  %nt = ktdp.construct_access_tile %nv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<4xi32> -> !ktdp.access_tile<1xindex>
  %nl = ktdp.load %nt : <1xindex> -> tensor<1xi32>
  %ne = tensor.extract %nl[%c0] : tensor<1xi32>
  %n = arith.index_cast %ne : i32 to index
  %xv = ktdp.construct_memory_view %x, sizes: [8], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 7 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<8xf32>
  %yv = ktdp.construct_memory_view %y, sizes: [64], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<64xf32>
  %c5 = arith.constant 5 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = arith.subi %c5, %i : index
    %t = ktdp.construct_access_tile %xv[%a] {access_tile_set = affine_set<(i) : (i >= 0, -i + 0 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<8xf32> -> !ktdp.access_tile<1xindex>
    %v = ktdp.load %t : <1xindex> -> tensor<1xf32>
    %u = ktdp.construct_access_tile %yv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i + 0 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<64xf32> -> !ktdp.access_tile<1xindex>
    ktdp.store %v, %u : tensor<1xf32>, <1xindex>
  }
  return
}

// -----

// A coordinate that is a quotient moves more slowly: i / 4 < 8.

ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @by_quotient(
// CHECK: scf.for %{{.*}} = %{{.*}} to %c32{{.*}} step
func.func @by_quotient(%lens: index, %x: index, %y: index) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %nv = ktdp.construct_memory_view %lens, sizes: [4], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 3 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4xi32>
  %nt = ktdp.construct_access_tile %nv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<4xi32> -> !ktdp.access_tile<1xindex>
  %nl = ktdp.load %nt : <1xindex> -> tensor<1xi32>
  %ne = tensor.extract %nl[%c0] : tensor<1xi32>
  %n = arith.index_cast %ne : i32 to index
  %xv = ktdp.construct_memory_view %x, sizes: [8], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 7 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<8xf32>
  %yv = ktdp.construct_memory_view %y, sizes: [64], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<64xf32>
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = arith.floordivsi %i, %c4 : index
    %t = ktdp.construct_access_tile %xv[%a] {access_tile_set = affine_set<(i) : (i >= 0, -i + 0 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<8xf32> -> !ktdp.access_tile<1xindex>
    %v = ktdp.load %t : <1xindex> -> tensor<1xf32>
    %u = ktdp.construct_access_tile %yv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i + 0 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<64xf32> -> !ktdp.access_tile<1xindex>
    ktdp.store %v, %u : tensor<1xf32>, <1xindex>
  }
  return
}

// -----

// An inner loop that certainly runs: 4 i + 3 < 32. One that may not run says nothing.

ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @in_inner_loop(
// CHECK: scf.for %{{.*}} = %{{.*}} to %c8{{.*}} step
// CHECK-NEXT: arith.cmpi
// CHECK-NEXT: scf.if
// CHECK: scf.for %{{.*}} = %{{.*}} to %c4{{.*}} step
// CHECK-NOT: scf.if
func.func @in_inner_loop(%lens: index, %x: index, %y: index) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %nv = ktdp.construct_memory_view %lens, sizes: [4], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 3 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4xi32>
  %nt = ktdp.construct_access_tile %nv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<4xi32> -> !ktdp.access_tile<1xindex>
  %nl = ktdp.load %nt : <1xindex> -> tensor<1xi32>
  %ne = tensor.extract %nl[%c0] : tensor<1xi32>
  %n = arith.index_cast %ne : i32 to index
  %xv = ktdp.construct_memory_view %x, sizes: [32], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 31 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<32xf32>
  %yv = ktdp.construct_memory_view %y, sizes: [64], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<64xf32>
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %n step %c1 {
    %o = arith.muli %i, %c4 : index
    scf.for %k = %c0 to %c4 step %c1 {
      %a = arith.addi %o, %k : index
      %t = ktdp.construct_access_tile %xv[%a] {access_tile_set = affine_set<(i) : (i >= 0, -i + 0 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<32xf32> -> !ktdp.access_tile<1xindex>
      %v = ktdp.load %t : <1xindex> -> tensor<1xf32>
      %u = ktdp.construct_access_tile %yv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i + 0 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<64xf32> -> !ktdp.access_tile<1xindex>
      ktdp.store %v, %u : tensor<1xf32>, <1xindex>
    }
  }
  return
}

// -----

// What is carried stays as it is in the iterations that are too many; numbers that grow evenly are computed.

ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @carried(
// CHECK: %[[N:.*]] = arith.index_cast
// CHECK: %[[TRIPS:.*]] = arith.maxsi
// CHECK: %[[GROWN:.*]] = arith.muli %[[TRIPS]]
// CHECK: %[[R:.*]] = scf.for %[[I:.*]] = %{{.*}} to %c8 step %{{.*}} iter_args(%[[OLD:.*]] = %{{.*}}) -> (tensor<1xf32>) {
// CHECK: %[[GO:.*]] = arith.cmpi slt, %[[I]], %[[N]] : index
// CHECK: %[[NEW:.*]] = scf.if %[[GO]] -> (tensor<1xf32>) {
// CHECK: %[[SUM:.*]] = arith.addf %[[OLD]]
// CHECK: scf.yield %[[SUM]]
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[OLD]]
// CHECK: scf.yield %[[NEW]]
func.func @carried(%lens: index, %x: index, %y: index) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %nv = ktdp.construct_memory_view %lens, sizes: [4], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 3 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4xi32>
  %nt = ktdp.construct_access_tile %nv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<4xi32> -> !ktdp.access_tile<1xindex>
  %nl = ktdp.load %nt : <1xindex> -> tensor<1xi32>
  %ne = tensor.extract %nl[%c0] : tensor<1xi32>
  %n = arith.index_cast %ne : i32 to index
  %xv = ktdp.construct_memory_view %x, sizes: [8], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 7 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<8xf32>
  %yv = ktdp.construct_memory_view %y, sizes: [64], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<64xf32>
  %z = arith.constant dense<0.0> : tensor<1xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z, %p = %c0) -> (tensor<1xf32>, index) {
    %t = ktdp.construct_access_tile %xv[%i] {access_tile_set = affine_set<(i) : (i >= 0, -i + 0 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<8xf32> -> !ktdp.access_tile<1xindex>
    %v = ktdp.load %t : <1xindex> -> tensor<1xf32>
    %s1 = arith.addf %s, %v : tensor<1xf32>
    %p1 = arith.addi %p, %c1 : index
    scf.yield %s1, %p1 : tensor<1xf32>, index
  }
  %u = ktdp.construct_access_tile %yv[%r#1] {access_tile_set = affine_set<(i) : (i >= 0, -i + 0 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<64xf32> -> !ktdp.access_tile<1xindex>
  ktdp.store %r#0, %u : tensor<1xf32>, <1xindex>
  return
}

// -----

// A loop over integers, and one written as `scf.while`.

ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @counts_in_i32(
// CHECK: scf.for %{{.*}} = %{{.*}} to %c8{{.*}} step %{{.*}} {
// CHECK: scf.for %{{.*}} = %{{.*}} to %c8{{.*}} step %{{.*}} {
// CHECK-NOT: scf.while
func.func @counts_in_i32(%lens: index, %x: index, %y: index) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %nv = ktdp.construct_memory_view %lens, sizes: [4], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 3 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4xi32>
  %nt = ktdp.construct_access_tile %nv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<4xi32> -> !ktdp.access_tile<1xindex>
  %nl = ktdp.load %nt : <1xindex> -> tensor<1xi32>
  %ne = tensor.extract %nl[%c0] : tensor<1xi32>
  %n = arith.index_cast %ne : i32 to index
  %xv = ktdp.construct_memory_view %x, sizes: [8], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 7 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<8xf32>
  %yv = ktdp.construct_memory_view %y, sizes: [64], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<64xf32>
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %k = %z to %ne step %one : i32 {
    %i = arith.index_cast %k : i32 to index
    %t = ktdp.construct_access_tile %xv[%i] {access_tile_set = affine_set<(i) : (i >= 0, -i + 0 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<8xf32> -> !ktdp.access_tile<1xindex>
    %v = ktdp.load %t : <1xindex> -> tensor<1xf32>
    %u = ktdp.construct_access_tile %yv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i + 0 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<64xf32> -> !ktdp.access_tile<1xindex>
    ktdp.store %v, %u : tensor<1xf32>, <1xindex>
  }
  %w = scf.while (%j = %c0) : (index) -> index {
    %go = arith.cmpi slt, %j, %n : index
    scf.condition(%go) %j : index
  } do {
  ^bb0(%j: index):
    %t2 = ktdp.construct_access_tile %xv[%j] {access_tile_set = affine_set<(i) : (i >= 0, -i + 0 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<8xf32> -> !ktdp.access_tile<1xindex>
    %v2 = ktdp.load %t2 : <1xindex> -> tensor<1xf32>
    %u2 = ktdp.construct_access_tile %yv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i + 0 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<64xf32> -> !ktdp.access_tile<1xindex>
    ktdp.store %v2, %u2 : tensor<1xf32>, <1xindex>
    %next = arith.addi %j, %c1 : index
    scf.yield %next : index
  }
  return
}

// -----

// The index view of an indirect tile holds 4 numbers, two points of the tile each: i + 1 < 8.

ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @by_index_view(
// CHECK: scf.for %{{.*}} = %{{.*}} to %c7{{.*}} step
func.func @by_index_view(%lens: index, %x: index, %y: index) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %nv = ktdp.construct_memory_view %lens, sizes: [4], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 3 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4xi32>
  %nt = ktdp.construct_access_tile %nv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<4xi32> -> !ktdp.access_tile<1xindex>
  %nl = ktdp.load %nt : <1xindex> -> tensor<1xi32>
  %ne = tensor.extract %nl[%c0] : tensor<1xi32>
  %n = arith.index_cast %ne : i32 to index
  %xv = ktdp.construct_memory_view %x, sizes: [8], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 7 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<8xf32>
  %yv = ktdp.construct_memory_view %y, sizes: [64], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<64xf32>
  scf.for %i = %c0 to %n step %c1 {
    %t = ktdp.construct_indirect_access_tile intermediate_variables(%a) %xv[ind(%nv[(%i + %a) floordiv 2])] {variables_space_set = affine_set<(a) : (a >= 0, -a + 1 >= 0)>, variables_space_order = affine_map<(a) -> (a)>} : memref<8xf32>, memref<4xi32> -> !ktdp.access_tile<2xindex>
    %v = ktdp.load %t : <2xindex> -> tensor<2xf32>
    %u = ktdp.construct_access_tile %yv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i + 1 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<64xf32> -> !ktdp.access_tile<2xindex>
    ktdp.store %v, %u : tensor<2xf32>, <2xindex>
  }
  return
}

// -----

// Nothing moves with the variable.

ktdf_arch.device @sample import("sample.mlir")
// CHECK-NOT: func.func @nothing_moves(
func.func @nothing_moves(%lens: index, %x: index, %y: index) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %nv = ktdp.construct_memory_view %lens, sizes: [4], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 3 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4xi32>
  %nt = ktdp.construct_access_tile %nv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<4xi32> -> !ktdp.access_tile<1xindex>
  %nl = ktdp.load %nt : <1xindex> -> tensor<1xi32>
  // expected-note @above {{the number is loaded here}}
  %ne = tensor.extract %nl[%c0] : tensor<1xi32>
  %n = arith.index_cast %ne : i32 to index
  %xv = ktdp.construct_memory_view %x, sizes: [8], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 7 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<8xf32>
  %yv = ktdp.construct_memory_view %y, sizes: [64], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<64xf32>
  // expected-error @below {{how often this loop runs is computed from elements of tensors, and nothing limits '%n' (loop-bound-legalization): no access of every iteration moves with the loop's variable through a view of constant extents; take arith.minsi of the upper bound and a number known at launch}}
  scf.for %i = %c0 to %n step %c1 {
    %t = ktdp.construct_access_tile %xv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i + 0 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<8xf32> -> !ktdp.access_tile<1xindex>
    %v = ktdp.load %t : <1xindex> -> tensor<1xf32>
    %u = ktdp.construct_access_tile %yv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i + 0 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<64xf32> -> !ktdp.access_tile<1xindex>
    ktdp.store %v, %u : tensor<1xf32>, <1xindex>
  }
  return
}

// -----

// An access under a condition says nothing about the iterations without it.

ktdf_arch.device @sample import("sample.mlir")
// CHECK-NOT: func.func @under_a_condition(
func.func @under_a_condition(%lens: index, %x: index, %y: index) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %nv = ktdp.construct_memory_view %lens, sizes: [4], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 3 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4xi32>
  %nt = ktdp.construct_access_tile %nv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<4xi32> -> !ktdp.access_tile<1xindex>
  %nl = ktdp.load %nt : <1xindex> -> tensor<1xi32>
  // expected-note @above {{the number is loaded here}}
  %ne = tensor.extract %nl[%c0] : tensor<1xi32>
  %n = arith.index_cast %ne : i32 to index
  %xv = ktdp.construct_memory_view %x, sizes: [8], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 7 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<8xf32>
  %yv = ktdp.construct_memory_view %y, sizes: [64], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<64xf32>
  %c3 = arith.constant 3 : index
  // expected-error @below {{how often this loop runs is computed from elements of tensors, and nothing limits '%n' (loop-bound-legalization): no access of every iteration moves with the loop's variable through a view of constant extents; take arith.minsi of the upper bound and a number known at launch}}
  scf.for %i = %c0 to %n step %c1 {
    %go = arith.cmpi slt, %i, %c3 : index
    scf.if %go {
      %t = ktdp.construct_access_tile %xv[%i] {access_tile_set = affine_set<(i) : (i >= 0, -i + 0 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<8xf32> -> !ktdp.access_tile<1xindex>
      %v = ktdp.load %t : <1xindex> -> tensor<1xf32>
      %u = ktdp.construct_access_tile %yv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i + 0 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<64xf32> -> !ktdp.access_tile<1xindex>
      ktdp.store %v, %u : tensor<1xf32>, <1xindex>
    }
  }
  return
}

// -----

// What lies beyond a view of an extent known at launch reads as zero, and is no error.

ktdf_arch.device @sample import("sample.mlir")
// CHECK-NOT: func.func @launch_extent(
func.func @launch_extent(%lens: index, %x: index, %y: index, %size: index) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %nv = ktdp.construct_memory_view %lens, sizes: [4], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 3 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4xi32>
  %nt = ktdp.construct_access_tile %nv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<4xi32> -> !ktdp.access_tile<1xindex>
  %nl = ktdp.load %nt : <1xindex> -> tensor<1xi32>
  // expected-note @above {{the number is loaded here}}
  %ne = tensor.extract %nl[%c0] : tensor<1xi32>
  %n = arith.index_cast %ne : i32 to index
  %xv = ktdp.construct_memory_view %x, sizes: [%size], strides: [1] {coordinate_set = affine_set<(i)[n] : (i >= 0, -i + n - 1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<?xf32>
  %yv = ktdp.construct_memory_view %y, sizes: [64], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<64xf32>
  // expected-error @below {{how often this loop runs is computed from elements of tensors, and nothing limits '%n' (loop-bound-legalization): no access of every iteration moves with the loop's variable through a view of constant extents; take arith.minsi of the upper bound and a number known at launch}}
  scf.for %i = %c0 to %n step %c1 {
    %t = ktdp.construct_access_tile %xv[%i] {access_tile_set = affine_set<(i) : (i >= 0, -i + 0 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<?xf32> -> !ktdp.access_tile<1xindex>
    %v = ktdp.load %t : <1xindex> -> tensor<1xf32>
    %u = ktdp.construct_access_tile %yv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i + 0 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<64xf32> -> !ktdp.access_tile<1xindex>
    ktdp.store %v, %u : tensor<1xf32>, <1xindex>
  }
  return
}

// -----

// A step that is loaded.

ktdf_arch.device @sample import("sample.mlir")
// CHECK-NOT: func.func @loaded_step(
func.func @loaded_step(%lens: index, %x: index, %y: index) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %nv = ktdp.construct_memory_view %lens, sizes: [4], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 3 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4xi32>
  %nt = ktdp.construct_access_tile %nv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<4xi32> -> !ktdp.access_tile<1xindex>
  %nl = ktdp.load %nt : <1xindex> -> tensor<1xi32>
  // expected-note @above {{the step comes from here}}
  %ne = tensor.extract %nl[%c0] : tensor<1xi32>
  %n = arith.index_cast %ne : i32 to index
  %xv = ktdp.construct_memory_view %x, sizes: [8], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 7 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<8xf32>
  %yv = ktdp.construct_memory_view %y, sizes: [64], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<64xf32>
  // expected-error @below {{the step of this loop is computed from elements of tensors (loop-bound-legalization); count iterations, and multiply in the body}}
  scf.for %i = %c0 to %n step %n {
    %t = ktdp.construct_access_tile %xv[%i] {access_tile_set = affine_set<(i) : (i >= 0, -i + 0 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<8xf32> -> !ktdp.access_tile<1xindex>
    %v = ktdp.load %t : <1xindex> -> tensor<1xf32>
    %u = ktdp.construct_access_tile %yv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i + 0 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<64xf32> -> !ktdp.access_tile<1xindex>
    ktdp.store %v, %u : tensor<1xf32>, <1xindex>
  }
  return
}
