// Reductions over extents known at launch: what is loaded is kept over zeros in a tensor as large as it can be, and beyond
// the extent the reduction takes the neutral element of its combiner.

// RUN: headrace-opt --tensor-legalization --split-input-file --verify-diagnostics %s | filecheck %s

ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @row_max
// CHECK:       %[[N:.*]] = ktdp.runtime_arg_extract value
// CHECK:       %[[LOADED:.*]] = ktdp.load {{.*}} -> tensor<4x?xf16>
// CHECK:       %[[KEPT:.*]] = ktdp.construct_memory_view {{.*}} sizes: [4, 200], strides: [200, 1] {{.*}}ct_local
// CHECK:       ktdp.store %{{.*}} : tensor<4x200xf16>, <4x200xindex>
// CHECK-NEXT:  ktdp.store %[[LOADED]], %{{.*}} : tensor<4x?xf16>, <4x?xindex>
// CHECK:       %[[WHOLE:.*]] = ktdp.load %{{.*}} : <4x200xindex> -> tensor<4x200xf16>
// CHECK:       %[[MASKED:.*]] = linalg.generic {{.*}} ins(%[[WHOLE]],
// CHECK:         arith.constant 0xFC00 : f16
// CHECK:         arith.cmpi slt, %{{.*}}, %[[N]] : index
// CHECK-NEXT:    arith.select
// CHECK:       linalg.reduce { arith.maximumf } ins(%[[MASKED]] : tensor<4x200xf16>)
func.func @row_max(%n: !ktdp.runtime_arg<index, upperbound=200>, %x: index, %r: index) attributes {grid = [1]} {
  %c = ktdp.runtime_arg_extract value from %n : <index, upperbound=200> -> index
  %xv = ktdp.construct_memory_view %x, sizes: [4, %c], strides: [200, 1] {coordinate_set = affine_set<(i, j)[s] : (i >= 0, -i + 3 >= 0, j >= 0, -j + s - 1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4x?xf16>
  %rv = ktdp.construct_memory_view %r, sizes: [4], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 3 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4xf16>
  %t = ktdp.construct_access_tile %xv[0, 0] symbols(%c) {access_tile_set = affine_set<(i, j)[s] : (i >= 0, -i + 3 >= 0, j >= 0, -j + s - 1 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<4x?xf16> -> !ktdp.access_tile<4x?xindex>
  %d = ktdp.load %t : <4x?xindex> -> tensor<4x?xf16>
  %low = arith.constant dense<0xFC00> : tensor<4xf16>
  %m = linalg.reduce { arith.maximumf } ins(%d : tensor<4x?xf16>) outs(%low : tensor<4xf16>) dimensions = [1]
  %rt = ktdp.construct_access_tile %rv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i + 3 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<4xf16> -> !ktdp.access_tile<4xindex>
  ktdp.store %m, %rt : tensor<4xf16>, <4xindex>
  return
}

// -----

// A kept dimension needs no neutral element: what is beyond its extent is never stored.
ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @column_sums
// CHECK:       ktdp.load %{{.*}} -> tensor<4x200xf16>
// CHECK-NOT:   arith.select
// CHECK:       ktdp.store %{{.*}} : tensor<?xf16>, <?xindex>
func.func @column_sums(%n: !ktdp.runtime_arg<index, upperbound=200>, %x: index, %r: index) attributes {grid = [1]} {
  %c = ktdp.runtime_arg_extract value from %n : <index, upperbound=200> -> index
  %xv = ktdp.construct_memory_view %x, sizes: [4, %c], strides: [200, 1] {coordinate_set = affine_set<(i, j)[s] : (i >= 0, -i + 3 >= 0, j >= 0, -j + s - 1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4x?xf16>
  %t = ktdp.construct_access_tile %xv[0, 0] symbols(%c) {access_tile_set = affine_set<(i, j)[s] : (i >= 0, -i + 3 >= 0, j >= 0, -j + s - 1 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<4x?xf16> -> !ktdp.access_tile<4x?xindex>
  %d = ktdp.load %t : <4x?xindex> -> tensor<4x?xf16>
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty(%c) : tensor<?xf16>
  %f = linalg.fill ins(%zero : f16) outs(%e : tensor<?xf16>) -> tensor<?xf16>
  %m = linalg.reduce { arith.addf } ins(%d : tensor<4x?xf16>) outs(%f : tensor<?xf16>) dimensions = [0]
  %rv = ktdp.construct_memory_view %r, sizes: [%c], strides: [1] {coordinate_set = affine_set<(i)[s] : (i >= 0, -i + s - 1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<?xf16>
  %rt = ktdp.construct_access_tile %rv[0] symbols(%c) {access_tile_set = affine_set<(i)[s] : (i >= 0, -i + s - 1 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<?xf16> -> !ktdp.access_tile<?xindex>
  ktdp.store %m, %rt : tensor<?xf16>, <?xindex>
  return
}

// -----

// One value cannot be neutral for two combiners: such a reduction stays as it is.
ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @sum_and_product
// CHECK:       ktdp.load %{{.*}} -> tensor<4x?xf16>
// CHECK-NOT:   4x200x
// CHECK:       linalg.generic {{.*}} : tensor<4x?xf16>)
// CHECK-NOT:   4x200x
// CHECK:       return
func.func @sum_and_product(%n: !ktdp.runtime_arg<index, upperbound=200>, %x: index, %r: index) attributes {grid = [1]} {
  %c = ktdp.runtime_arg_extract value from %n : <index, upperbound=200> -> index
  %xv = ktdp.construct_memory_view %x, sizes: [4, %c], strides: [200, 1] {coordinate_set = affine_set<(i, j)[s] : (i >= 0, -i + 3 >= 0, j >= 0, -j + s - 1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4x?xf16>
  %rv = ktdp.construct_memory_view %r, sizes: [4], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 3 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4xf16>
  %t = ktdp.construct_access_tile %xv[0, 0] symbols(%c) {access_tile_set = affine_set<(i, j)[s] : (i >= 0, -i + 3 >= 0, j >= 0, -j + s - 1 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<4x?xf16> -> !ktdp.access_tile<4x?xindex>
  %d = ktdp.load %t : <4x?xindex> -> tensor<4x?xf16>
  %one = arith.constant dense<1.0> : tensor<4xf16>
  %m:2 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a)>, affine_map<(a, b) -> (a)>], iterator_types = ["parallel", "reduction"]} ins(%d : tensor<4x?xf16>) outs(%one, %one : tensor<4xf16>, tensor<4xf16>) {
  ^bb0(%u: f16, %v: f16, %w: f16):
    %s = arith.addf %v, %u : f16
    %p = arith.mulf %w, %u : f16
    linalg.yield %s, %p : f16, f16
  } -> (tensor<4xf16>, tensor<4xf16>)
  %o = arith.addf %m#0, %m#1 : tensor<4xf16>
  %rt = ktdp.construct_access_tile %rv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i + 3 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<4xf16> -> !ktdp.access_tile<4xindex>
  ktdp.store %o, %rt : tensor<4xf16>, <4xindex>
  return
}

// -----

// Two extents that are not known to be the same.
ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @two_extents
// CHECK-NOT:   4x200x
// CHECK:       arith.addf %{{.*}} : tensor<4x?xf16>
// CHECK-NOT:   4x200x
// CHECK:       return
func.func @two_extents(%n: !ktdp.runtime_arg<index, upperbound=200>, %k: !ktdp.runtime_arg<index, upperbound=200>, %x: index, %y: index, %r: index) attributes {grid = [1]} {
  %c = ktdp.runtime_arg_extract value from %n : <index, upperbound=200> -> index
  %b = ktdp.runtime_arg_extract value from %k : <index, upperbound=200> -> index
  %xv = ktdp.construct_memory_view %x, sizes: [4, %c], strides: [200, 1] {coordinate_set = affine_set<(i, j)[s] : (i >= 0, -i + 3 >= 0, j >= 0, -j + s - 1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4x?xf16>
  %yv = ktdp.construct_memory_view %y, sizes: [4, %b], strides: [200, 1] {coordinate_set = affine_set<(i, j)[s] : (i >= 0, -i + 3 >= 0, j >= 0, -j + s - 1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4x?xf16>
  %xt = ktdp.construct_access_tile %xv[0, 0] symbols(%c) {access_tile_set = affine_set<(i, j)[s] : (i >= 0, -i + 3 >= 0, j >= 0, -j + s - 1 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<4x?xf16> -> !ktdp.access_tile<4x?xindex>
  %yt = ktdp.construct_access_tile %yv[0, 0] symbols(%b) {access_tile_set = affine_set<(i, j)[s] : (i >= 0, -i + 3 >= 0, j >= 0, -j + s - 1 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<4x?xf16> -> !ktdp.access_tile<4x?xindex>
  %xd = ktdp.load %xt : <4x?xindex> -> tensor<4x?xf16>
  %yd = ktdp.load %yt : <4x?xindex> -> tensor<4x?xf16>
  %a = arith.addf %xd, %yd : tensor<4x?xf16>
  %zero = arith.constant dense<0.0> : tensor<4xf16>
  %s = linalg.reduce { arith.addf } ins(%a : tensor<4x?xf16>) outs(%zero : tensor<4xf16>) dimensions = [1]
  %rv = ktdp.construct_memory_view %r, sizes: [4], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 3 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4xf16>
  %rt = ktdp.construct_access_tile %rv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i + 3 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<4xf16> -> !ktdp.access_tile<4xindex>
  ktdp.store %s, %rt : tensor<4xf16>, <4xindex>
  return
}

// -----

// A row maximum of a product whose rows are known at launch: both for the most rows that there can be, over zeros; the part
// that there is is stored.

ktdf_arch.device @spyre import("spyre.mlir")
// CHECK-LABEL: func.func @scores(
// CHECK: tensor.splat %{{.*}} : tensor<20x16xf16>
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<20x32xf32>)
// CHECK: linalg.reduce { arith.maximumf } ins(%{{.*}} : tensor<20x32xf32>) outs(%{{.*}} : tensor<20xf32>)
// CHECK: ktdp.store %{{.*}}, %{{.*}} : tensor<?xf32>
func.func @scores(%n: !ktdp.runtime_arg<index, upperbound=20>, %a: index, %b: index, %c: index) attributes {grid = [1]} {
  %m = ktdp.runtime_arg_extract value from %n : <index, upperbound=20> -> index
  %av = ktdp.construct_memory_view %a, sizes: [%m, 16], strides: [16, 1] {coordinate_set = affine_set<(i, j)[s] : (i >= 0, -i + s - 1 >= 0, j >= 0, -j + 15 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<?x16xf16>
  %bv = ktdp.construct_memory_view %b, sizes: [16, 32], strides: [32, 1] {coordinate_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 31 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<16x32xf16>
  %cv = ktdp.construct_memory_view %c, sizes: [%m], strides: [1] {coordinate_set = affine_set<(i)[s] : (i >= 0, -i + s - 1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<?xf32>
  %at = ktdp.construct_access_tile %av[0, 0] symbols(%m) {access_tile_set = affine_set<(i, j)[s] : (i >= 0, -i + s - 1 >= 0, j >= 0, -j + 15 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<?x16xf16> -> !ktdp.access_tile<?x16xindex>
  %x = ktdp.load %at : <?x16xindex> -> tensor<?x16xf16>
  %bt = ktdp.construct_access_tile %bv[0, 0] {access_tile_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 31 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<16x32xf16> -> !ktdp.access_tile<16x32xindex>
  %w = ktdp.load %bt : <16x32xindex> -> tensor<16x32xf16>
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty(%m) : tensor<?x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x32xf32>) -> tensor<?x32xf32>
  %y = linalg.matmul ins(%x, %w : tensor<?x16xf16>, tensor<16x32xf16>) outs(%z : tensor<?x32xf32>) -> tensor<?x32xf32>
  %re = tensor.empty(%m) : tensor<?xf32>
  %rz = linalg.fill ins(%low : f32) outs(%re : tensor<?xf32>) -> tensor<?xf32>
  %r = linalg.reduce { arith.maximumf } ins(%y : tensor<?x32xf32>) outs(%rz : tensor<?xf32>) dimensions = [1]
  %ct = ktdp.construct_access_tile %cv[0] symbols(%m) {access_tile_set = affine_set<(i)[s] : (i >= 0, -i + s - 1 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<?xf32> -> !ktdp.access_tile<?xindex>
  ktdp.store %r, %ct : tensor<?xf32>, <?xindex>
  return
}
