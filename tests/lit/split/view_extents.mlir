// RUN: headrace-opt --tensor-legalization --canonicalize --cse %s | filecheck %s

// An extent that is a value is a number where no access leaves it, whether the text says so or not; it stays a value
// where one may. Rows reach 111, columns 63.

ktdf_arch.device @sample import("sample.mlir")
// CHECK: affine_set<(d0, d1)[s0] : (d0 >= 0, -d0 + s0 - 1 >= 0, d1 >= 0, -d1 + 63 >= 0)>
// CHECK: affine_set<(d0, d1)[s0, s1] : (d0 >= 0, -d0 + s0 - 1 >= 0, d1 >= 0, -d1 + 54 >= 0)>
// CHECK-LABEL: func.func @beyond(
// CHECK: %[[N:.*]] = arith.constant 97 : index
// CHECK: ktdp.construct_memory_view %{{.*}}, sizes: [%[[N]], 64], strides: [64, 1]
// CHECK-SAME: memref<?x64xf16>
func.func @beyond(%x: index) attributes {grid = [7]} {
  %c16 = arith.constant 16 : index
  %n = arith.constant 97 : index
  %m = arith.constant 64 : index
  %p = ktdp.get_compute_tile_id : index
  %r = arith.muli %p, %c16 : index
  %v = ktdp.construct_memory_view %x, sizes: [%n, %m], strides: [64, 1] {coordinate_set = affine_set<(i, j)[s, t] : (i >= 0, -i + s - 1 >= 0, j >= 0, -j + t - 1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<?x?xf16>
  %t = ktdp.construct_access_tile %v[%r, 0] {access_tile_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 63 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<?x?xf16> -> !ktdp.access_tile<16x64xindex>
  %a = ktdp.load %t : <16x64xindex> -> tensor<16x64xf16>
  %b = math.tanh %a : tensor<16x64xf16>
  ktdp.store %b, %t : tensor<16x64xf16>, <16x64xindex>
  return
}

// A number is a value where the view has another one and an access leaves this one. The tile's place is a remainder.
// CHECK-LABEL: func.func @number(
// CHECK: sizes: [%{{.*}}, %{{.*}}], strides: [60, 1]
// CHECK-SAME: memref<?x?xf16>
func.func @number(%x: index, %k: index) attributes {grid = [6]} {
  %c3 = arith.constant 3 : i32
  %c20 = arith.constant 20 : i32
  %p = ktdp.get_compute_tile_id : index
  %q = arith.index_cast %p : index to i32
  %s = arith.remsi %q, %c3 : i32
  %d = arith.muli %s, %c20 : i32
  %c = arith.index_cast %d : i32 to index
  %v = ktdp.construct_memory_view %x, sizes: [%k, 55], strides: [60, 1] {coordinate_set = affine_set<(i, j)[s] : (i >= 0, -i + s - 1 >= 0, j >= 0, -j + 54 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<?x55xf16>
  %t = ktdp.construct_access_tile %v[0, %c] {access_tile_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 19 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<?x55xf16> -> !ktdp.access_tile<8x20xindex>
  %a = ktdp.load %t : <8x20xindex> -> tensor<8x20xf16>
  %b = math.tanh %a : tensor<8x20xf16>
  ktdp.store %b, %t : tensor<8x20xf16>, <8x20xindex>
  return
}

// A tile that may begin before its view is kept over zeros, and its part inside is moved: from 3 - p * 8 on, where that
// is positive.
// CHECK-LABEL: func.func @before(
// CHECK: %[[LOW:.*]] = arith.maxsi %{{.*}}, %{{.*}} : index
// CHECK: arith.minsi
// CHECK: %[[LENGTH:.*]] = arith.maxsi
// CHECK: %[[PART:.*]] = ktdp.construct_access_tile %{{.*}}[%{{.*}} * 8 + %[[LOW]] - 3] symbols(%[[LENGTH]])
// CHECK: %[[KEPT:.*]] = ktdp.construct_access_tile %[[K:.*]][%[[LOW]]] symbols(%[[LENGTH]])
// CHECK: %[[WHOLE:.*]] = ktdp.construct_access_tile %[[K]][0]
// CHECK: ktdp.store %{{.*}}, %[[WHOLE]] : tensor<8xf32>
// CHECK: %[[A:.*]] = ktdp.load %[[PART]] {headrace.inside = array<i64: 0>}
// CHECK: ktdp.store %[[A]], %[[KEPT]] {headrace.prefilled}
// CHECK: ktdp.load %[[WHOLE]]
func.func @before(%x: index, %y: index, %n: index) attributes {grid = [4]} {
  %c8 = arith.constant 8 : index
  %p = ktdp.get_compute_tile_id : index
  %r = arith.muli %p, %c8 : index
  %v = ktdp.construct_memory_view %x, sizes: [%n], strides: [1] {coordinate_set = affine_set<(i)[s] : (i >= 0, -i + s - 1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<?xf32>
  %w = ktdp.construct_memory_view %y, sizes: [32], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 31 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<32xf32>
  %t = ktdp.construct_access_tile %v[%r - 3] {access_tile_set = affine_set<(i) : (i >= 0, -i + 7 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<?xf32> -> !ktdp.access_tile<8xindex>
  %a = ktdp.load %t : <8xindex> -> tensor<8xf32>
  %u = ktdp.construct_access_tile %w[%r] {access_tile_set = affine_set<(i) : (i >= 0, -i + 7 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<32xf32> -> !ktdp.access_tile<8xindex>
  ktdp.store %a, %u : tensor<8xf32>, <8xindex>
  return
}
