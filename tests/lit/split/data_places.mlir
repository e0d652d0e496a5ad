// RUN: headrace-opt --tensor-legalization --split-input-file --verify-diagnostics %s | filecheck %s

// A row whose number was loaded: a table of one displacement, in elements, and an access through it.

ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @row_by_number(
// CHECK: %[[N:.*]] = tensor.extract
// CHECK: %[[ROW:.*]] = arith.index_cast %[[N]]
// CHECK: %[[PLACE:.*]] = tensor.generate
// CHECK: %[[AT:.*]] = arith.muli %[[ROW]], %{{.*}} : index
// CHECK: %[[TABLE:.*]] = ktdp.construct_memory_view %{{.*}}, sizes: [1], strides: [1] {{.*}}memory_space<ct_local>{{.*}}xi32>
// CHECK: ktdp.store %[[PLACE]]
// CHECK: ktdp.construct_indirect_access_tile {{.*}}[ind(%[[TABLE]][0]), (%{{.*}}), (%{{.*}})]
func.func @row_by_number(%ids: index, %w: index, %out: index) attributes {grid = [2]} {
  %me = ktdp.get_compute_tile_id : index
  %c0 = arith.constant 0 : index
  %iv = ktdp.construct_memory_view %ids, sizes: [2], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2xi32>
  %wv = ktdp.construct_memory_view %w, sizes: [8, 64], strides: [64, 1] {coordinate_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<8x64xf32>
  %ov = ktdp.construct_memory_view %out, sizes: [2, 64], strides: [64, 1] {coordinate_set = affine_set<(i, j) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<2x64xf32>
  %it = ktdp.construct_access_tile %iv[%me] {access_tile_set = affine_set<(i) : (i >= 0, -i >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<2xi32> -> !ktdp.access_tile<1xindex>
  %i = ktdp.load %it : <1xindex> -> tensor<1xi32>
  %n = tensor.extract %i[%c0] : tensor<1xi32>
  %row = arith.index_cast %n : i32 to index
  %wt = ktdp.construct_access_tile %wv[%row, 0] {access_tile_set = affine_set<(i, j) : (i >= 0, -i >= 0, j >= 0, -j + 63 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<8x64xf32> -> !ktdp.access_tile<1x64xindex>
  %x = ktdp.load %wt : <1x64xindex> -> tensor<1x64xf32>
  %ot = ktdp.construct_access_tile %ov[%me, 0] {access_tile_set = affine_set<(i, j) : (i >= 0, -i >= 0, j >= 0, -j + 63 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<2x64xf32> -> !ktdp.access_tile<1x64xindex>
  ktdp.store %x, %ot : tensor<1x64xf32>, <1x64xindex>
  return
}

// -----

// An update in place reads and writes through one table.

ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @update(
// CHECK-COUNT-1: tensor.generate
// CHECK: ktdp.construct_indirect_access_tile {{.*}}[ind(%[[TABLE:[^\[]+]][0])
// CHECK-NOT: tensor.generate
// CHECK: ktdp.construct_indirect_access_tile {{.*}}[ind(%[[TABLE]][0])
func.func @update(%ids: index, %w: index) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %iv = ktdp.construct_memory_view %ids, sizes: [1], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<1xi32>
  %wv = ktdp.construct_memory_view %w, sizes: [8, 64], strides: [64, 1] {coordinate_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<8x64xf32>
  %it = ktdp.construct_access_tile %iv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<1xi32> -> !ktdp.access_tile<1xindex>
  %i = ktdp.load %it : <1xindex> -> tensor<1xi32>
  %n = tensor.extract %i[%c0] : tensor<1xi32>
  %row = arith.index_cast %n : i32 to index
  %from = ktdp.construct_access_tile %wv[%row, 0] {access_tile_set = affine_set<(i, j) : (i >= 0, -i >= 0, j >= 0, -j + 63 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<8x64xf32> -> !ktdp.access_tile<1x64xindex>
  %x = ktdp.load %from : <1x64xindex> -> tensor<1x64xf32>
  %y = arith.addf %x, %x : tensor<1x64xf32>
  %to = ktdp.construct_access_tile %wv[%row, 0] {access_tile_set = affine_set<(i, j) : (i >= 0, -i >= 0, j >= 0, -j + 63 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<8x64xf32> -> !ktdp.access_tile<1x64xindex>
  ktdp.store %y, %to : tensor<1x64xf32>, <1x64xindex>
  return
}

// -----

// A condition that was loaded: the store always happens, with what lies there already where it fails.

ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @condition(
// CHECK: %[[C:.*]] = arith.cmpi
// CHECK-NOT: scf.if
// CHECK: %[[T:.*]] = ktdp.construct_access_tile
// CHECK: %[[OLD:.*]] = ktdp.load %[[T]]
// CHECK: %[[NEW:.*]] = arith.select %[[C]], %{{.*}}, %[[OLD]]
// CHECK: ktdp.store %[[NEW]], %[[T]]
// CHECK: %[[LAST:.*]] = ktdp.load
// CHECK: %[[ELSE:.*]] = arith.select %[[C]], %[[LAST]], %{{.*}} : tensor<64xf32>
// CHECK: ktdp.store %[[ELSE]]
func.func @condition(%ids: index, %out: index) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %three = arith.constant 3 : i32
  %one = arith.constant dense<1.0> : tensor<64xf32>
  %two = arith.constant dense<2.0> : tensor<64xf32>
  %iv = ktdp.construct_memory_view %ids, sizes: [1], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<1xi32>
  %ov = ktdp.construct_memory_view %out, sizes: [64], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<64xf32>
  %it = ktdp.construct_access_tile %iv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<1xi32> -> !ktdp.access_tile<1xindex>
  %i = ktdp.load %it : <1xindex> -> tensor<1xi32>
  %n = tensor.extract %i[%c0] : tensor<1xi32>
  %c = arith.cmpi eq, %n, %three : i32
  scf.if %c {
    %t = ktdp.construct_access_tile %ov[0] {access_tile_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<64xf32> -> !ktdp.access_tile<64xindex>
    ktdp.store %one, %t : tensor<64xf32>, <64xindex>
  } else {
    %t = ktdp.construct_access_tile %ov[0] {access_tile_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<64xf32> -> !ktdp.access_tile<64xindex>
    ktdp.store %two, %t : tensor<64xf32>, <64xindex>
  }
  return
}

// -----

// The place need not exist where the condition fails: the table names none then, and nothing is stored.

ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @both(
// CHECK: %[[C:.*]] = arith.cmpi sge,
// CHECK-NOT: scf.if
// CHECK: tensor.generate
// CHECK: %[[NONE:.*]] = arith.constant -2147483648 : i32
// CHECK: arith.select %[[C]], %{{.*}}, %[[NONE]] : i32
// CHECK: ktdp.construct_indirect_access_tile {{.*}}headrace.skips
func.func @both(%ids: index, %out: index) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %none = arith.constant 0 : i32
  %one = arith.constant dense<1.0> : tensor<1x64xf32>
  %iv = ktdp.construct_memory_view %ids, sizes: [1], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<1xi32>
  %ov = ktdp.construct_memory_view %out, sizes: [8, 64], strides: [64, 1] {coordinate_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<8x64xf32>
  %it = ktdp.construct_access_tile %iv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<1xi32> -> !ktdp.access_tile<1xindex>
  %i = ktdp.load %it : <1xindex> -> tensor<1xi32>
  %n = tensor.extract %i[%c0] : tensor<1xi32>
  %row = arith.index_cast %n : i32 to index
  %c = arith.cmpi sge, %n, %none : i32
  scf.if %c {
    %t = ktdp.construct_access_tile %ov[%row, 0] {access_tile_set = affine_set<(i, j) : (i >= 0, -i >= 0, j >= 0, -j + 63 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<8x64xf32> -> !ktdp.access_tile<1x64xindex>
    ktdp.store %one, %t : tensor<1x64xf32>, <1x64xindex>
  }
  return
}

// -----

// Displacements are counted in elements: a start that is data times no multiple of an element's bytes has none.

ktdf_arch.device @sample import("sample.mlir")
func.func @halves(%ids: index, %w: index, %out: index) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %two = arith.constant 2 : index
  %iv = ktdp.construct_memory_view %ids, sizes: [1], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<1xi32>
  %it = ktdp.construct_access_tile %iv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<1xi32> -> !ktdp.access_tile<1xindex>
  %i = ktdp.load %it : <1xindex> -> tensor<1xi32>
  %n = tensor.extract %i[%c0] : tensor<1xi32>
  %k = arith.index_cast %n : i32 to index
  %bytes = arith.muli %k, %two : index
  %start = arith.addi %w, %bytes : index
  %wv = ktdp.construct_memory_view %start, sizes: [64], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<64xf32>
  // expected-error @below {{a view that starts at a multiple of data which is no multiple of the 4 bytes of an element is not supported by tensor-legalization; load whole elements at a coordinate instead}}
  %wt = ktdp.construct_access_tile %wv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<64xf32> -> !ktdp.access_tile<64xindex>
  %x = ktdp.load %wt : <64xindex> -> tensor<64xf32>
  %ov = ktdp.construct_memory_view %out, sizes: [64], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<64xf32>
  %ot = ktdp.construct_access_tile %ov[0] {access_tile_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<64xf32> -> !ktdp.access_tile<64xindex>
  ktdp.store %x, %ot : tensor<64xf32>, <64xindex>
  return
}
