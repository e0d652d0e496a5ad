// RUN: headrace-opt --tensor-legalization --split-input-file --verify-diagnostics %s | filecheck %s

// Elements that come from different tensors by position: the store is cut where the parts meet.

ktdf_arch.device @sample import("sample.mlir")
// CHECK: #[[LOW:.*]] = affine_set<(d0) : (d0 >= 0, -d0 + 31 >= 0)>
// CHECK: #[[HIGH:.*]] = affine_set<(d0) : (d0 - 32 >= 0, -d0 + 63 >= 0)>
// CHECK-LABEL: func.func @parts(
// CHECK: %[[L:.*]] = tensor.extract_slice %{{.*}}[0] [32] [1]
// CHECK: access_tile_set = #[[LOW]]
// CHECK: ktdp.store %[[L]]
// CHECK: %[[R:.*]] = tensor.extract_slice %{{.*}}[32] [32] [1]
// CHECK: access_tile_set = #[[HIGH]]
// CHECK: ktdp.store %[[R]]
func.func @parts(%x: index, %out: index) attributes {grid = [1]} {
  %xv = ktdp.construct_memory_view %x, sizes: [32], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 31 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<32xf16>
  %ov = ktdp.construct_memory_view %out, sizes: [64], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<64xf16>
  %xt = ktdp.construct_access_tile %xv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i + 31 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<32xf16> -> !ktdp.access_tile<32xindex>
  %a = ktdp.load %xt : <32xindex> -> tensor<32xf16>
  %b = math.exp %a : tensor<32xf16>
  %c = tensor.concat dim(0) %a, %b : (tensor<32xf16>, tensor<32xf16>) -> tensor<64xf16>
  %ot = ktdp.construct_access_tile %ov[0] {access_tile_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<64xf16> -> !ktdp.access_tile<64xindex>
  ktdp.store %c, %ot : tensor<64xf16>, <64xindex>
  return
}

// -----

// A reduction that keeps what another one folds is kept in the scratchpad: the store comes first, then the load.

ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @kept(
// CHECK: %[[R:.*]] = linalg.reduce
// CHECK: %[[V:.*]] = ktdp.construct_memory_view %{{.*}}, sizes: [8], strides: [1] {{.*}}memory_space<ct_local>
// CHECK: ktdp.store %[[R]]
// CHECK: %[[L:.*]] = ktdp.load
// CHECK: linalg.reduce {{.*}} ins(%[[L]]
func.func @kept(%x: index, %out: index) attributes {grid = [1]} {
  %xv = ktdp.construct_memory_view %x, sizes: [8, 64], strides: [64, 1] {coordinate_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<8x64xf32>
  %ov = ktdp.construct_memory_view %out, sizes: [1], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<1xf32>
  %xt = ktdp.construct_access_tile %xv[0, 0] {access_tile_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<8x64xf32> -> !ktdp.access_tile<8x64xindex>
  %a = ktdp.load %xt : <8x64xindex> -> tensor<8x64xf32>
  %z = arith.constant dense<0.0> : tensor<8xf32>
  %r = linalg.reduce { arith.addf } ins(%a : tensor<8x64xf32>) outs(%z : tensor<8xf32>) dimensions = [1]
  %y = arith.constant dense<0.0> : tensor<f32>
  %s = linalg.reduce { arith.maximumf } ins(%r : tensor<8xf32>) outs(%y : tensor<f32>) dimensions = [0]
  %t = tensor.expand_shape %s [] output_shape [1] : tensor<f32> into tensor<1xf32>
  %ot = ktdp.construct_access_tile %ov[0] {access_tile_set = affine_set<(i) : (i >= 0, -i >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<1xf32> -> !ktdp.access_tile<1xindex>
  ktdp.store %t, %ot : tensor<1xf32>, <1xindex>
  return
}

// -----

// An indirect access reads where its rows lie from a table of displacements that is computed first.

ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @gather(
// CHECK: %[[T:.*]] = tensor.generate
// CHECK: tensor.extract
// CHECK: %[[W:.*]] = arith.constant 64 : i32
// CHECK: arith.muli %{{.*}}, %[[W]] : i32
// CHECK: %[[K:.*]] = ktdp.construct_memory_view {{.*}}sizes: [4], strides: [1] {{.*}}memory_space<ct_local>{{.*}} : memref<4xi32>
// CHECK: ktdp.store %[[T]]
// CHECK: %[[B:.*]] = ktdp.construct_memory_view %{{.*}}, sizes: [{{[0-9]+}}, 64], strides: [1, 1]
// CHECK: ktdp.construct_indirect_access_tile intermediate_variables(%[[R:.*]], %[[C:.*]]) %[[B]][ind(%[[K]][%[[R]]]), (%[[C]])]
func.func @gather(%x: index, %ids: index, %out: index) attributes {grid = [1]} {
  %xv = ktdp.construct_memory_view %x, sizes: [32, 64], strides: [64, 1] {coordinate_set = affine_set<(i, j) : (i >= 0, -i + 31 >= 0, j >= 0, -j + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<32x64xf16>
  %iv = ktdp.construct_memory_view %ids, sizes: [4], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 3 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4xi32>
  %ov = ktdp.construct_memory_view %out, sizes: [4, 64], strides: [64, 1] {coordinate_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4x64xf16>
  %t = ktdp.construct_indirect_access_tile intermediate_variables(%r, %c) %xv[ind(%iv[%r]), (%c)] {variables_space_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>, variables_space_order = affine_map<(i, j) -> (i, j)>} : memref<32x64xf16>, memref<4xi32> -> !ktdp.access_tile<4x64xindex>
  %a = ktdp.load %t : <4x64xindex> -> tensor<4x64xf16>
  %ot = ktdp.construct_access_tile %ov[0, 0] {access_tile_set = affine_set<(i, j) : (i >= 0, -i + 3 >= 0, j >= 0, -j + 63 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<4x64xf16> -> !ktdp.access_tile<4x64xindex>
  ktdp.store %a, %ot : tensor<4x64xf16>, <4x64xindex>
  return
}

// -----

// Branches that only compute are both computed; the condition chooses.

ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @choose(
// CHECK-NOT: scf.if
// CHECK: arith.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<64xf16>
func.func @choose(%x: index, %out: index) attributes {grid = [2]} {
  %me = ktdp.get_compute_tile_id : index
  %c0 = arith.constant 0 : index
  %xv = ktdp.construct_memory_view %x, sizes: [128], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 127 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<128xf16>
  %ov = ktdp.construct_memory_view %out, sizes: [128], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 127 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<128xf16>
  %xt = ktdp.construct_access_tile %xv[%me * 64] {access_tile_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<128xf16> -> !ktdp.access_tile<64xindex>
  %a = ktdp.load %xt : <64xindex> -> tensor<64xf16>
  %first = arith.cmpi eq, %me, %c0 : index
  %r = scf.if %first -> (tensor<64xf16>) {
    %b = arith.addf %a, %a : tensor<64xf16>
    scf.yield %b : tensor<64xf16>
  } else {
    scf.yield %a : tensor<64xf16>
  }
  %ot = ktdp.construct_access_tile %ov[%me * 64] {access_tile_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<128xf16> -> !ktdp.access_tile<64xindex>
  ktdp.store %r, %ot : tensor<64xf16>, <64xindex>
  return
}

// -----

// What is read behind a store that overwrites where it comes from is kept in front of it.

ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @kept_in_time(
// CHECK: scf.for
// CHECK: ktdp.load %{{.*}} : <64xindex> -> tensor<64xf16>
// CHECK: ktdp.store
// CHECK: scf.for
func.func @kept_in_time(%x: index) attributes {grid = [1]} {
  %zero = arith.constant dense<0.000000e+00> : tensor<64xf16>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %xv = ktdp.construct_memory_view %x, sizes: [128], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 127 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<128xf16>
  %r = scf.for %i = %c0 to %c128 step %c64 iter_args(%sum = %zero) -> (tensor<64xf16>) {
    %t = ktdp.construct_access_tile %xv[%i] {access_tile_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<128xf16> -> !ktdp.access_tile<64xindex>
    %a = ktdp.load %t : <64xindex> -> tensor<64xf16>
    %s = arith.addf %sum, %a : tensor<64xf16>
    scf.yield %s : tensor<64xf16>
  }
  scf.for %i = %c0 to %c128 step %c64 {
    %t = ktdp.construct_access_tile %xv[%i] {access_tile_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<128xf16> -> !ktdp.access_tile<64xindex>
    %a = ktdp.load %t : <64xindex> -> tensor<64xf16>
    %b = arith.subf %a, %r : tensor<64xf16>
    ktdp.store %b, %t : tensor<64xf16>, <64xindex>
  }
  return
}

// -----

// A row of column sums and a row of row sums of a square, both stored, the second from the first: the first is kept, for
// no program folds what another one of its results keeps.

ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @sums_of_sums(
// CHECK: %[[C:.*]] = linalg.reduce {{.*}} dimensions = [0]
// CHECK: ktdp.store %[[C]], %{{.*}} : tensor<64xi32>, <64xindex>
// CHECK: %[[K:.*]] = ktdp.load %{{.*}} : <64xindex> -> tensor<64xi32>
// CHECK: ktdp.store %[[K]]
// CHECK: linalg.broadcast ins(%[[K]]
func.func @sums_of_sums(%x: index, %o: index) attributes {grid = [1]} {
  %zero = arith.constant dense<0> : tensor<64xi32>
  %xv = ktdp.construct_memory_view %x, sizes: [64, 64], strides: [64, 1] {coordinate_set = affine_set<(i, j) : (i >= 0, -i + 63 >= 0, j >= 0, -j + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<64x64xi32>
  %pv = ktdp.construct_memory_view %o, sizes: [128], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 127 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<128xi32>
  %t = ktdp.construct_access_tile %xv[0, 0] {access_tile_set = affine_set<(i, j) : (i >= 0, -i + 63 >= 0, j >= 0, -j + 63 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<64x64xi32> -> !ktdp.access_tile<64x64xindex>
  %a = ktdp.load %t : <64x64xindex> -> tensor<64x64xi32>
  %c = linalg.reduce { arith.addi } ins(%a : tensor<64x64xi32>) outs(%zero : tensor<64xi32>) dimensions = [0]
  %ct = ktdp.construct_access_tile %pv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<128xi32> -> !ktdp.access_tile<64xindex>
  ktdp.store %c, %ct : tensor<64xi32>, <64xindex>
  %e = tensor.empty() : tensor<64x64xi32>
  %b = linalg.broadcast ins(%c : tensor<64xi32>) outs(%e : tensor<64x64xi32>) dimensions = [0]
  %d = arith.muli %a, %b : tensor<64x64xi32>
  %r = linalg.reduce { arith.addi } ins(%d : tensor<64x64xi32>) outs(%zero : tensor<64xi32>) dimensions = [1]
  %rt = ktdp.construct_access_tile %pv[64] {access_tile_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<128xi32> -> !ktdp.access_tile<64xindex>
  ktdp.store %r, %rt : tensor<64xi32>, <64xindex>
  return
}

// -----

// A slice of lower rank that a reduction folds is kept with the unit dimensions that its type leaves out.

ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @row_kept(
// CHECK: %[[V:.*]] = ktdp.construct_memory_view %{{.*}}, sizes: [2, 64, 1], strides: [64, 1, 1] {{.*}}memory_space<ct_local>
// CHECK: %[[P:.*]] = tensor.expand_shape %{{.*}} {{\[}}[0, 1, 2]] output_shape [1, 64, 1] : tensor<64xf32> into tensor<1x64x1xf32>
// CHECK: %[[T:.*]] = ktdp.construct_access_tile %[[V]][1, 0, 0] {{.*}} -> !ktdp.access_tile<1x64x1xindex>
// CHECK: ktdp.store %[[P]], %[[T]]
// CHECK: linalg.reduce
func.func @row_kept(%x: index, %out: index) attributes {grid = [1]} {
  %xv = ktdp.construct_memory_view %x, sizes: [64], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<64xf32>
  %ov = ktdp.construct_memory_view %out, sizes: [64, 1], strides: [1, 1] {coordinate_set = affine_set<(i, j) : (i >= 0, -i + 63 >= 0, j >= 0, -j >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<64x1xf32>
  %xt = ktdp.construct_access_tile %xv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<64xf32> -> !ktdp.access_tile<64xindex>
  %a = ktdp.load %xt : <64xindex> -> tensor<64xf32>
  %b = math.exp %a : tensor<64xf32>
  %e = tensor.empty() : tensor<2x64x1xf32>
  %p = tensor.insert_slice %a into %e[0, 0, 0] [1, 64, 1] [1, 1, 1] : tensor<64xf32> into tensor<2x64x1xf32>
  %q = tensor.insert_slice %b into %p[1, 0, 0] [1, 64, 1] [1, 1, 1] : tensor<64xf32> into tensor<2x64x1xf32>
  %z = arith.constant dense<0.0> : tensor<64x1xf32>
  %r = linalg.reduce { arith.addf } ins(%q : tensor<2x64x1xf32>) outs(%z : tensor<64x1xf32>) dimensions = [0]
  %ot = ktdp.construct_access_tile %ov[0, 0] {access_tile_set = affine_set<(i, j) : (i >= 0, -i + 63 >= 0, j >= 0, -j >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<64x1xf32> -> !ktdp.access_tile<64x1xindex>
  ktdp.store %r, %ot : tensor<64x1xf32>, <64x1xindex>
  return
}
