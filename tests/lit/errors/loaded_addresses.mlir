// RUN: headrace-opt --ktir-legality-check --split-input-file --verify-diagnostics %s

// A table of pointers: no launch can place what they point to.

ktdf_arch.device @sample import("sample.mlir")
func.func @pointers(%table: index, %out: index) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %tv = ktdp.construct_memory_view %table, sizes: [1], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<1xi64>
  %ov = ktdp.construct_memory_view %out, sizes: [8], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 7 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<8xf32>
  %tt = ktdp.construct_access_tile %tv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<1xi64> -> !ktdp.access_tile<1xindex>
  %t = ktdp.load %tt : <1xindex> -> tensor<1xi64>
  %e = tensor.extract %t[%c0] : tensor<1xi64>
  %p = arith.index_cast %e : i64 to index
  // expected-error @below {{the address of this view is loaded from memory, where a launch cannot put one (ktir-legality-check); take the array that it points into as an argument and load where in it the view starts}}
  %xv = ktdp.construct_memory_view %p, sizes: [8], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 7 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<8xf32>
  %xt = ktdp.construct_access_tile %xv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i + 7 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<8xf32> -> !ktdp.access_tile<8xindex>
  %x = ktdp.load %xt : <8xindex> -> tensor<8xf32>
  %ot = ktdp.construct_access_tile %ov[0] {access_tile_set = affine_set<(i) : (i >= 0, -i + 7 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<8xf32> -> !ktdp.access_tile<8xindex>
  ktdp.store %x, %ot : tensor<8xf32>, <8xindex>
  return
}

// -----

// Strides of views, and extents of access tiles (an extent of a view may be loaded).

ktdf_arch.device @sample import("sample.mlir")
func.func @extents(%lens: index, %x: index, %out: index) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %lv = ktdp.construct_memory_view %lens, sizes: [1], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<1xi32>
  %ov = ktdp.construct_memory_view %out, sizes: [8], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 7 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<8xf32>
  %lt = ktdp.construct_access_tile %lv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<1xi32> -> !ktdp.access_tile<1xindex>
  %l = ktdp.load %lt : <1xindex> -> tensor<1xi32>
  %e = tensor.extract %l[%c0] : tensor<1xi32>
  %n = arith.index_cast %e : i32 to index
  %xv = ktdp.construct_memory_view %x, sizes: [%n], strides: [1] {coordinate_set = affine_set<(i)[s] : (i >= 0, -i + s - 1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<?xf32>
  // expected-error @below {{a stride of this view is computed from elements of tensors, which no unit can do (ktir-legality-check); multiply coordinates of a view of stride 1}}
  %sv = ktdp.construct_memory_view %x, sizes: [4], strides: [%n] {coordinate_set = affine_set<(i) : (i >= 0, -i + 3 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4xf32>
  // expected-error @below {{an extent of this access tile is computed from elements of tensors, which no unit can do (ktir-legality-check); take a tile of constant extents, in a view with the loaded one}}
  %ot = ktdp.construct_access_tile %ov[0] symbols(%n) {access_tile_set = affine_set<(i)[s] : (i >= 0, -i + s - 1 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<8xf32> -> !ktdp.access_tile<?xindex>
  %xt = ktdp.construct_access_tile %ov[0] {access_tile_set = affine_set<(i) : (i >= 0, -i + 7 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<8xf32> -> !ktdp.access_tile<8xindex>
  %x0 = ktdp.load %xt : <8xindex> -> tensor<8xf32>
  ktdp.store %x0, %xt : tensor<8xf32>, <8xindex>
  return
}
