// RUN: headrace-opt --tensor-legalization --split-input-file --verify-diagnostics %s | filecheck %s

// A block of 4 rows in a view of %n rows: the table names the first place where a row lies beyond, and zero is put there.

ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @load(
// CHECK: %[[N:.*]] = arith.index_cast
// CHECK: %[[PLACES:.*]] = tensor.generate {
// CHECK: %[[ROW:.*]] = arith.addi %{{.*}}, %c2
// CHECK: %[[BELOW:.*]] = arith.cmpi slt, %[[ROW]], %[[N]] : index
// CHECK: %[[ABOVE:.*]] = arith.cmpi sge, %[[ROW]], %{{.*}} : index
// CHECK: %[[IN:.*]] = arith.andi %[[BELOW]], %[[ABOVE]]
// CHECK: arith.select %[[IN]], %{{.*}}, %{{.*}} : i32
// CHECK: } : tensor<4xi32>
// CHECK: ktdp.store %[[PLACES]], %{{.*}}
// CHECK-NOT: headrace.skips
// CHECK: %[[X:.*]] = ktdp.load %{{.*}} : <4x64xindex>
// CHECK: %[[MASK:.*]] = tensor.generate {
// CHECK: } : tensor<4x64xi1>
// CHECK: arith.select %[[MASK]], %[[X]], %{{.*}} : tensor<4x64xi1>, tensor<4x64xf32>
func.func @load(%lens: index, %x: index, %out: index) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %lv = ktdp.construct_memory_view %lens, sizes: [1], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<1xi32>
  %lt = ktdp.construct_access_tile %lv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<1xi32> -> !ktdp.access_tile<1xindex>
  %l = ktdp.load %lt : <1xindex> -> tensor<1xi32>
  %e = tensor.extract %l[%c0] : tensor<1xi32>
  %n = arith.index_cast %e : i32 to index
  %xv = ktdp.construct_memory_view %x, sizes: [%n, 64], strides: [64, 1] {coordinate_set = affine_set<(i, j)[s] : (i >= 0, -i + s - 1 >= 0, j >= 0, -j + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<?x64xf32>
  %ov = ktdp.construct_memory_view %out, sizes: [4, 64], strides: [64, 1] {coordinate_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4x64xf32>
  %xt = ktdp.construct_access_tile %xv[2, 0] {access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<?x64xf32> -> !ktdp.access_tile<4x64xindex>
  %a = ktdp.load %xt : <4x64xindex> -> tensor<4x64xf32>
  %ot = ktdp.construct_access_tile %ov[0, 0] {access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<4x64xf32> -> !ktdp.access_tile<4x64xindex>
  ktdp.store %a, %ot : tensor<4x64xf32>, <4x64xindex>
  return
}

// -----

// What is stored beyond the view has no place.

ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @store(
// CHECK: tensor.generate {
// CHECK: %[[NONE:.*]] = arith.constant -2147483648 : i32
// CHECK: arith.select %{{.*}}, %{{.*}}, %[[NONE]] : i32
// CHECK: } : tensor<4xi32>
// CHECK: ktdp.construct_indirect_access_tile {{.*}}headrace.skips
func.func @store(%lens: index, %x: index, %out: index) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %lv = ktdp.construct_memory_view %lens, sizes: [1], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<1xi32>
  %lt = ktdp.construct_access_tile %lv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<1xi32> -> !ktdp.access_tile<1xindex>
  %l = ktdp.load %lt : <1xindex> -> tensor<1xi32>
  %e = tensor.extract %l[%c0] : tensor<1xi32>
  %n = arith.index_cast %e : i32 to index
  %xv = ktdp.construct_memory_view %x, sizes: [4, 64], strides: [64, 1] {coordinate_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4x64xf32>
  %ov = ktdp.construct_memory_view %out, sizes: [%n, 64], strides: [64, 1] {coordinate_set = affine_set<(i, j)[s] : (i >= 0, -i + s - 1 >= 0, j >= 0, -j + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<?x64xf32>
  %xt = ktdp.construct_access_tile %xv[0, 0] {access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<4x64xf32> -> !ktdp.access_tile<4x64xindex>
  %a = ktdp.load %xt : <4x64xindex> -> tensor<4x64xf32>
  %ot = ktdp.construct_access_tile %ov[0, 0] {access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<?x64xf32> -> !ktdp.access_tile<4x64xindex>
  ktdp.store %a, %ot : tensor<4x64xf32>, <4x64xindex>
  return
}

// -----

ktdf_arch.device @sample import("sample.mlir")
// CHECK-NOT: func.func @gathered(
func.func @gathered(%lens: index, %x: index, %out: index) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %lv = ktdp.construct_memory_view %lens, sizes: [4], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 3 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4xi32>
  %lt = ktdp.construct_access_tile %lv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<4xi32> -> !ktdp.access_tile<1xindex>
  %l = ktdp.load %lt : <1xindex> -> tensor<1xi32>
  %e = tensor.extract %l[%c0] : tensor<1xi32>
  %n = arith.index_cast %e : i32 to index
  %xv = ktdp.construct_memory_view %x, sizes: [%n, 64], strides: [64, 1] {coordinate_set = affine_set<(i, j)[s] : (i >= 0, -i + s - 1 >= 0, j >= 0, -j + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<?x64xf32>
  %ov = ktdp.construct_memory_view %out, sizes: [4, 64], strides: [64, 1] {coordinate_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4x64xf32>
  // expected-error @below {{an indirect access through a view with extents from memory is not supported by tensor-legalization}}
  %xt = ktdp.construct_indirect_access_tile intermediate_variables(%i, %j) %xv[ind(%lv[%i]), (%j)] {variables_space_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>, variables_space_order = affine_map<(i, j) -> (i, j)>} : memref<?x64xf32>, memref<4xi32> -> !ktdp.access_tile<4x64xindex>
  %a = ktdp.load %xt : <4x64xindex> -> tensor<4x64xf32>
  %ot = ktdp.construct_access_tile %ov[0, 0] {access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<4x64xf32> -> !ktdp.access_tile<4x64xindex>
  ktdp.store %a, %ot : tensor<4x64xf32>, <4x64xindex>
  return
}

// -----

// Indices of which the last tile has only two: what it reaches is kept over zeros, and the rows of the others are zero.

ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @gather(
// CHECK: %[[IDS:.*]] = ktdp.load %{{.*}} : <4xindex> -> tensor<4xi32>
// CHECK-NOT: headrace.skips
// CHECK: %[[X:.*]] = ktdp.load %{{.*}} : <4x64xindex> -> tensor<4x64xf32>
// CHECK: %[[MASK:.*]] = tensor.generate {
// CHECK: arith.cmpi slt, %{{.*}}, %{{.*}} : index
// CHECK: } : tensor<4x64xi1>
// CHECK: arith.select %[[MASK]], %[[X]], %{{.*}} : tensor<4x64xi1>, tensor<4x64xf32>
func.func @gather(%ids: index, %x: index, %out: index) attributes {grid = [2]} {
  %me = ktdp.get_compute_tile_id : index
  %n = arith.constant 6 : index
  %c4 = arith.constant 4 : index
  %at = arith.muli %me, %c4 : index
  %iv = ktdp.construct_memory_view %ids, sizes: [%n], strides: [1] {coordinate_set = affine_set<(i)[s] : (i >= 0, -i + s - 1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<?xi32>
  %xv = ktdp.construct_memory_view %x, sizes: [50, 64], strides: [64, 1] {coordinate_set = affine_set<(i, j) : (i >= 0, -i + 49 >= 0, j >= 0, -j + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<50x64xf32>
  %ov = ktdp.construct_memory_view %out, sizes: [8, 64], strides: [64, 1] {coordinate_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<8x64xf32>
  %xt = ktdp.construct_indirect_access_tile intermediate_variables(%i, %j) %xv[ind(%iv[%at + %i]), (%j)] {variables_space_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>, variables_space_order = affine_map<(i, j) -> (i, j)>} : memref<50x64xf32>, memref<?xi32> -> !ktdp.access_tile<4x64xindex>
  %ot = ktdp.construct_access_tile %ov[%at, 0] {access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<8x64xf32> -> !ktdp.access_tile<4x64xindex>
  %a = ktdp.load %xt : <4x64xindex> -> tensor<4x64xf32>
  ktdp.store %a, %ot : tensor<4x64xf32>, <4x64xindex>
  return
}

// -----

// Rows without an index have no place.

ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @scatter(
// CHECK: tensor.generate {
// CHECK: %[[NONE:.*]] = arith.constant -2147483648 : i32
// CHECK: arith.cmpi slt, %{{.*}}, %{{.*}} : index
// CHECK: arith.select %{{.*}}, %{{.*}}, %[[NONE]] : i32
// CHECK: construct_indirect_access_tile {{.*}} {headrace.skips
func.func @scatter(%ids: index, %x: index, %out: index) attributes {grid = [2]} {
  %me = ktdp.get_compute_tile_id : index
  %n = arith.constant 6 : index
  %c4 = arith.constant 4 : index
  %at = arith.muli %me, %c4 : index
  %iv = ktdp.construct_memory_view %ids, sizes: [%n], strides: [1] {coordinate_set = affine_set<(i)[s] : (i >= 0, -i + s - 1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<?xi32>
  %xv = ktdp.construct_memory_view %x, sizes: [50, 64], strides: [64, 1] {coordinate_set = affine_set<(i, j) : (i >= 0, -i + 49 >= 0, j >= 0, -j + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<50x64xf32>
  %ov = ktdp.construct_memory_view %out, sizes: [8, 64], strides: [64, 1] {coordinate_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<8x64xf32>
  %xt = ktdp.construct_indirect_access_tile intermediate_variables(%i, %j) %xv[ind(%iv[%at + %i]), (%j)] {variables_space_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>, variables_space_order = affine_map<(i, j) -> (i, j)>} : memref<50x64xf32>, memref<?xi32> -> !ktdp.access_tile<4x64xindex>
  %ot = ktdp.construct_access_tile %ov[%at, 0] {access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<8x64xf32> -> !ktdp.access_tile<4x64xindex>
  %a = ktdp.load %ot : <4x64xindex> -> tensor<4x64xf32>
  ktdp.store %a, %xt : tensor<4x64xf32>, <4x64xindex>
  return
}

// -----

// A subscript of a view of indices that two variables move, and that may leave it.

ktdf_arch.device @sample import("sample.mlir")
func.func @together(%ids: index, %x: index, %out: index) attributes {grid = [2]} {
  %me = ktdp.get_compute_tile_id : index
  %n = arith.constant 6 : index
  %c4 = arith.constant 4 : index
  %at = arith.muli %me, %c4 : index
  // expected-note@+1 {{the view is made here}}
  %iv = ktdp.construct_memory_view %ids, sizes: [%n], strides: [1] {coordinate_set = affine_set<(i)[s] : (i >= 0, -i + s - 1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<?xi32>
  %xv = ktdp.construct_memory_view %x, sizes: [50, 64], strides: [64, 1] {coordinate_set = affine_set<(i, j) : (i >= 0, -i + 49 >= 0, j >= 0, -j + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<50x64xf32>
  %ov = ktdp.construct_memory_view %out, sizes: [8, 64], strides: [64, 1] {coordinate_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<8x64xf32>
  // expected-error@+1 {{that leave it, and that no variables move one to one, are not supported by tensor-legalization}}
  %xt = ktdp.construct_indirect_access_tile intermediate_variables(%i, %j) %xv[ind(%iv[%at + %i + %j]), (%j)] {variables_space_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>, variables_space_order = affine_map<(i, j) -> (i, j)>} : memref<50x64xf32>, memref<?xi32> -> !ktdp.access_tile<4x64xindex>
  %ot = ktdp.construct_access_tile %ov[%at, 0] {access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<8x64xf32> -> !ktdp.access_tile<4x64xindex>
  %a = ktdp.load %xt : <4x64xindex> -> tensor<4x64xf32>
  ktdp.store %a, %ot : tensor<4x64xf32>, <4x64xindex>
  return
}
