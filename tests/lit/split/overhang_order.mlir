// RUN: headrace-opt --tensor-legalization --canonicalize --cse %s | filecheck %s

// A load that may hang over the end of its view, transposed: what it reads is kept in the order in which it lies in
// memory, over zeros, and read transposed from there.

ktdf_arch.device @sample import("sample.mlir")
// CHECK-DAG: #[[TURNED:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-LABEL: func.func @folded(
// CHECK: %[[A:.*]] = ktdp.load %{{.*}} : <64x16xindex> -> tensor<64x16xf16>
// CHECK: %[[K:.*]] = ktdp.construct_memory_view %{{.*}}, sizes: [16, 64], strides: [64, 1]
// CHECK-SAME: ct_local
// CHECK: %[[T:.*]] = ktdp.construct_access_tile %[[K]][0, 0] {access_tile_order = #[[TURNED]]
// CHECK: ktdp.store %{{.*}}, %[[T]] : tensor<64x16xf16>
// CHECK: ktdp.store %[[A]], %[[T]] {headrace.prefilled} : tensor<64x16xf16>
// CHECK: %[[B:.*]] = ktdp.load %[[T]]
// CHECK: linalg.reduce {{.*}} ins(%[[B]] :
func.func @folded(%x: index, %out: index, %n: index) attributes {grid = [1]} {
  %c0 = arith.constant 0.0 : f16
  %zero = tensor.splat %c0 : tensor<16xf16>
  %v = ktdp.construct_memory_view %x, sizes: [%n, 64], strides: [64, 1] {coordinate_set = affine_set<(i, j)[s] : (i >= 0, -i + s - 1 >= 0, j >= 0, -j + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<?x64xf16>
  %o = ktdp.construct_memory_view %out, sizes: [16], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 15 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<16xf16>
  %t = ktdp.construct_access_tile %v[0, 0] {access_tile_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 63 >= 0)>, access_tile_order = affine_map<(i, j) -> (j, i)>} : memref<?x64xf16> -> !ktdp.access_tile<64x16xindex>
  %u = ktdp.construct_access_tile %o[0] {access_tile_set = affine_set<(i) : (i >= 0, -i + 15 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<16xf16> -> !ktdp.access_tile<16xindex>
  %a = ktdp.load %t : <64x16xindex> -> tensor<64x16xf16>
  %s = linalg.reduce { arith.addf } ins(%a : tensor<64x16xf16>) outs(%zero : tensor<16xf16>) dimensions = [0]
  ktdp.store %s, %u : tensor<16xf16>, <16xindex>
  return
}

// A store that is cut the same way needs no zeros, but the copy would go against the grain of one of both.
// CHECK-LABEL: func.func @copied(
// CHECK: %[[A:.*]] = ktdp.load %{{.*}} : <64x16xindex> -> tensor<64x16xf16>
// CHECK: %[[K:.*]] = ktdp.construct_memory_view %{{.*}}, sizes: [16, 64], strides: [64, 1]
// CHECK: %[[T:.*]] = ktdp.construct_access_tile %[[K]][0, 0] {access_tile_order = #[[TURNED]]
// CHECK: ktdp.store %[[A]], %[[T]] {headrace.prefilled} : tensor<64x16xf16>
// CHECK: %[[B:.*]] = ktdp.load %[[T]]
// CHECK: ktdp.store %[[B]], %{{.*}} : tensor<64x16xf16>
func.func @copied(%x: index, %out: index, %n: index) attributes {grid = [1]} {
  %v = ktdp.construct_memory_view %x, sizes: [%n, 64], strides: [64, 1] {coordinate_set = affine_set<(i, j)[s] : (i >= 0, -i + s - 1 >= 0, j >= 0, -j + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<?x64xf16>
  %o = ktdp.construct_memory_view %out, sizes: [64, %n], strides: [64, 1] {coordinate_set = affine_set<(i, j)[s] : (i >= 0, -i + 63 >= 0, j >= 0, -j + s - 1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<64x?xf16>
  %t = ktdp.construct_access_tile %v[0, 0] {access_tile_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 63 >= 0)>, access_tile_order = affine_map<(i, j) -> (j, i)>} : memref<?x64xf16> -> !ktdp.access_tile<64x16xindex>
  %u = ktdp.construct_access_tile %o[0, 0] {access_tile_set = affine_set<(i, j) : (i >= 0, -i + 63 >= 0, j >= 0, -j + 15 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<64x?xf16> -> !ktdp.access_tile<64x16xindex>
  %a = ktdp.load %t : <64x16xindex> -> tensor<64x16xf16>
  ktdp.store %a, %u : tensor<64x16xf16>, <64x16xindex>
  return
}
