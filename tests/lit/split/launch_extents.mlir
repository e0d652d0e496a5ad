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
