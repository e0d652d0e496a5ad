// RUN: headrace-opt --construct-three-stage-pipeline --split-input-file --verify-diagnostics %s | filecheck %s

// Rows known at launch on the matrix unit: tiles of 64 rows as often as they go in, then of 8, then single rows.

ktdf_arch.device @spyre import("spyre.mlir")
module @rows {
  // CHECK-LABEL: func.func @rows(
  // CHECK-SAME: headrace.contraction = {
  // CHECK-SAME: m = [64]
  // CHECK-SAME: unit = "PT"
  // CHECK: %[[FULL:.*]] = arith.floordivsi %[[M:[a-z0-9]+]], %c64
  // CHECK: %[[TAKEN:.*]] = arith.muli %[[FULL]], %c64
  // CHECK: %[[LEFT:.*]] = arith.subi %[[M]], %[[TAKEN]]
  // CHECK: %[[EIGHTS:.*]] = arith.floordivsi %[[LEFT]], %c8
  // CHECK: %[[SINGLE:.*]] = arith.subi %[[LEFT]], %{{.*}}
  // CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[FULL]]
  // CHECK: ktdf.data_transfer from %{{.*}}[%[[I]] * 64, 0] size [64, 32]
  // CHECK: scf.for %[[J:.*]] = %{{.*}} to %[[EIGHTS]]
  // CHECK: ktdf.data_transfer from %{{.*}}[%[[TAKEN]] + %[[J]] * 8, 0] size [8, 32]
  // CHECK: scf.for %{{.*}} = %{{.*}} to %[[SINGLE]]
  // CHECK: ktdf.data_transfer from %{{.*}} size [1, 32]
  func.func @rows(%a: index, %b: index, %c: index, %m: index) attributes {grid = [1]} {
    %av = ktdp.construct_memory_view %a, sizes: [%m, 32], strides: [32, 1] {coordinate_set = affine_set<(i, j)[s] : (i >= 0, -i + s - 1 >= 0, j >= 0, -j + 31 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<?x32xf16>
    %bv = ktdp.construct_memory_view %b, sizes: [32, 64], strides: [64, 1] {coordinate_set = affine_set<(i, j) : (i >= 0, -i + 31 >= 0, j >= 0, -j + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<32x64xf16>
    %cv = ktdp.construct_memory_view %c, sizes: [%m, 64], strides: [64, 1] {coordinate_set = affine_set<(i, j)[s] : (i >= 0, -i + s - 1 >= 0, j >= 0, -j + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<?x64xf16>
    %at = ktdp.construct_access_tile %av[0, 0] symbols(%m) {access_tile_set = affine_set<(i, j)[s] : (i >= 0, -i + s - 1 >= 0, j >= 0, -j + 31 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<?x32xf16> -> !ktdp.access_tile<?x32xindex>
    %x = ktdp.load %at : <?x32xindex> -> tensor<?x32xf16>
    %bt = ktdp.construct_access_tile %bv[0, 0] {access_tile_set = affine_set<(i, j) : (i >= 0, -i + 31 >= 0, j >= 0, -j + 63 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<32x64xf16> -> !ktdp.access_tile<32x64xindex>
    %w = ktdp.load %bt : <32x64xindex> -> tensor<32x64xf16>
    %zero = arith.constant 0.0 : f16
    %e = tensor.empty(%m) : tensor<?x64xf16>
    %z = linalg.fill ins(%zero : f16) outs(%e : tensor<?x64xf16>) -> tensor<?x64xf16>
    %y = linalg.matmul ins(%x, %w : tensor<?x32xf16>, tensor<32x64xf16>) outs(%z : tensor<?x64xf16>) -> tensor<?x64xf16>
    %ct = ktdp.construct_access_tile %cv[0, 0] symbols(%m) {access_tile_set = affine_set<(i, j)[s] : (i >= 0, -i + s - 1 >= 0, j >= 0, -j + 63 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<?x64xf16> -> !ktdp.access_tile<?x64xindex>
    ktdp.store %y, %ct : tensor<?x64xf16>, <?x64xindex>
    return
  }
}

// -----

// A number that divides the rows is known: no rest.

ktdf_arch.device @spyre import("spyre.mlir")
module @whole {
  // CHECK-LABEL: func.func @whole(
  // CHECK-SAME: m = [64]
  // CHECK-COUNT-1: arith.floordivsi
  // CHECK-NOT: arith.floordivsi
  func.func @whole(%n: !ktdp.runtime_arg<index, granularity=64, upperbound=512>, %a: index, %b: index, %c: index) attributes {grid = [1]} {
    %m = ktdp.runtime_arg_extract value from %n : <index, granularity=64, upperbound=512> -> index
    %av = ktdp.construct_memory_view %a, sizes: [%m, 32], strides: [32, 1] {coordinate_set = affine_set<(i, j)[s] : (i >= 0, -i + s - 1 >= 0, j >= 0, -j + 31 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<?x32xf16>
    %bv = ktdp.construct_memory_view %b, sizes: [32, 64], strides: [64, 1] {coordinate_set = affine_set<(i, j) : (i >= 0, -i + 31 >= 0, j >= 0, -j + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<32x64xf16>
    %cv = ktdp.construct_memory_view %c, sizes: [%m, 64], strides: [64, 1] {coordinate_set = affine_set<(i, j)[s] : (i >= 0, -i + s - 1 >= 0, j >= 0, -j + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<?x64xf16>
    %at = ktdp.construct_access_tile %av[0, 0] symbols(%m) {access_tile_set = affine_set<(i, j)[s] : (i >= 0, -i + s - 1 >= 0, j >= 0, -j + 31 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<?x32xf16> -> !ktdp.access_tile<?x32xindex>
    %x = ktdp.load %at : <?x32xindex> -> tensor<?x32xf16>
    %bt = ktdp.construct_access_tile %bv[0, 0] {access_tile_set = affine_set<(i, j) : (i >= 0, -i + 31 >= 0, j >= 0, -j + 63 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<32x64xf16> -> !ktdp.access_tile<32x64xindex>
    %w = ktdp.load %bt : <32x64xindex> -> tensor<32x64xf16>
    %zero = arith.constant 0.0 : f16
    %e = tensor.empty(%m) : tensor<?x64xf16>
    %z = linalg.fill ins(%zero : f16) outs(%e : tensor<?x64xf16>) -> tensor<?x64xf16>
    %y = linalg.matmul ins(%x, %w : tensor<?x32xf16>, tensor<32x64xf16>) outs(%z : tensor<?x64xf16>) -> tensor<?x64xf16>
    %ct = ktdp.construct_access_tile %cv[0, 0] symbols(%m) {access_tile_set = affine_set<(i, j)[s] : (i >= 0, -i + s - 1 >= 0, j >= 0, -j + 63 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<?x64xf16> -> !ktdp.access_tile<?x64xindex>
    ktdp.store %y, %ct : tensor<?x64xf16>, <?x64xindex>
    return
  }
}

// -----

// A loop around a product is one more dimension of its rows; how often it runs may differ from tile to tile.

ktdf_arch.device @spyre import("spyre.mlir")
module @blocks {
  // CHECK-LABEL: func.func @blocks(
  // CHECK-SAME: m = [1, 16]
  // CHECK-SAME: unit = "PT"
  // CHECK: %[[COUNT:.*]] = arith.ceildivsi
  // CHECK: %[[TIMES:.*]] = arith.maxsi %[[COUNT]]
  // CHECK: scf.for %{{.*}} = %{{.*}} to %[[TIMES]]
  func.func @blocks(%a: index, %b: index, %c: index) attributes {grid = [2]} {
    %pid = ktdp.get_compute_tile_id : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c96 = arith.constant 96 : index
    %first = arith.muli %pid, %c16 : index
    scf.for %i = %first to %c96 step %c32 {
      %av = ktdp.construct_memory_view %a, sizes: [96, 32], strides: [32, 1] {coordinate_set = affine_set<(i, j) : (i >= 0, -i + 95 >= 0, j >= 0, -j + 31 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<96x32xf16>
      %bv = ktdp.construct_memory_view %b, sizes: [32, 64], strides: [64, 1] {coordinate_set = affine_set<(i, j) : (i >= 0, -i + 31 >= 0, j >= 0, -j + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<32x64xf16>
      %cv = ktdp.construct_memory_view %c, sizes: [96, 64], strides: [64, 1] {coordinate_set = affine_set<(i, j) : (i >= 0, -i + 95 >= 0, j >= 0, -j + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<96x64xf16>
      %at = ktdp.construct_access_tile %av[%i, 0] {access_tile_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 31 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<96x32xf16> -> !ktdp.access_tile<16x32xindex>
      %x = ktdp.load %at : <16x32xindex> -> tensor<16x32xf16>
      %bt = ktdp.construct_access_tile %bv[0, 0] {access_tile_set = affine_set<(i, j) : (i >= 0, -i + 31 >= 0, j >= 0, -j + 63 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<32x64xf16> -> !ktdp.access_tile<32x64xindex>
      %w = ktdp.load %bt : <32x64xindex> -> tensor<32x64xf16>
      %z = arith.constant dense<0.000000e+00> : tensor<16x64xf16>
      %y = linalg.matmul ins(%x, %w : tensor<16x32xf16>, tensor<32x64xf16>) outs(%z : tensor<16x64xf16>) -> tensor<16x64xf16>
      %ct = ktdp.construct_access_tile %cv[%i, 0] {access_tile_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 63 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<96x64xf16> -> !ktdp.access_tile<16x64xindex>
      ktdp.store %y, %ct : tensor<16x64xf16>, <16x64xindex>
    }
    return
  }
}

// -----

// Columns known at launch only are left to the vector unit, for which `tensor-legalization` has to cut them.

ktdf_arch.device @spyre import("spyre.mlir")
module @columns {
  func.func @columns(%a: index, %b: index, %c: index, %m: index) attributes {grid = [1]} {
    %av = ktdp.construct_memory_view %a, sizes: [16, 32], strides: [32, 1] {coordinate_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 31 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<16x32xf16>
    %bv = ktdp.construct_memory_view %b, sizes: [32, %m], strides: [512, 1] {coordinate_set = affine_set<(i, j)[s] : (i >= 0, -i + 31 >= 0, j >= 0, -j + s - 1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<32x?xf16>
    %cv = ktdp.construct_memory_view %c, sizes: [16, %m], strides: [512, 1] {coordinate_set = affine_set<(i, j)[s] : (i >= 0, -i + 15 >= 0, j >= 0, -j + s - 1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<16x?xf16>
    %at = ktdp.construct_access_tile %av[0, 0] {access_tile_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 31 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<16x32xf16> -> !ktdp.access_tile<16x32xindex>
    %x = ktdp.load %at : <16x32xindex> -> tensor<16x32xf16>
    %bt = ktdp.construct_access_tile %bv[0, 0] symbols(%m) {access_tile_set = affine_set<(i, j)[s] : (i >= 0, -i + 31 >= 0, j >= 0, -j + s - 1 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<32x?xf16> -> !ktdp.access_tile<32x?xindex>
    %w = ktdp.load %bt : <32x?xindex> -> tensor<32x?xf16>
    %zero = arith.constant 0.0 : f16
    %e = tensor.empty(%m) : tensor<16x?xf16>
    %z = linalg.fill ins(%zero : f16) outs(%e : tensor<16x?xf16>) -> tensor<16x?xf16>
    %y = linalg.matmul ins(%x, %w : tensor<16x32xf16>, tensor<32x?xf16>) outs(%z : tensor<16x?xf16>) -> tensor<16x?xf16>
    %ct = ktdp.construct_access_tile %cv[0, 0] symbols(%m) {access_tile_set = affine_set<(i, j)[s] : (i >= 0, -i + 15 >= 0, j >= 0, -j + s - 1 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<16x?xf16> -> !ktdp.access_tile<16x?xindex>
    // expected-error@+1 {{a vector dimension whose extent is only known at launch is not supported by construct-three-stage-pipeline}}
    ktdp.store %y, %ct : tensor<16x?xf16>, <16x?xindex>
    return
  }
}
