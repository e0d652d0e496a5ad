// RUN: headrace-opt --ktir-to-dfir --device=sample.mlir --device-name=sample --verify-diagnostics %s

// Rows known at launch may stay rows, not be merged with columns.

#pairs = affine_set<(i, j)[n] : (i >= 0, -i + n - 1 >= 0, j >= 0, -j + 63 >= 0)>
#line = affine_set<(i)[n] : (i >= 0, -i + n - 1 >= 0)>
func.func @flat(%x: index, %y: index, %m: index) attributes {grid = [1]} {
  %c64 = arith.constant 64 : index
  %n = arith.muli %m, %c64 : index
  %xv = ktdp.construct_memory_view %x, sizes: [%m, 64], strides: [64, 1] {coordinate_set = #pairs, memory_space = #ktdp.memory_space<global>} : memref<?x64xf32>
  %yv = ktdp.construct_memory_view %y, sizes: [%n], strides: [1] {coordinate_set = #line, memory_space = #ktdp.memory_space<global>} : memref<?xf32>
  %xt = ktdp.construct_access_tile %xv[0, 0] symbols(%m) {access_tile_set = #pairs, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<?x64xf32> -> !ktdp.access_tile<?x64xindex>
  %a = ktdp.load %xt : <?x64xindex> -> tensor<?x64xf32>
  // expected-error @below {{'tensor.collapse_shape' that regroups extents only known at launch is not supported by construct-three-stage-pipeline}}
  %b = tensor.collapse_shape %a [[0, 1]] : tensor<?x64xf32> into tensor<?xf32>
  %yt = ktdp.construct_access_tile %yv[0] symbols(%n) {access_tile_set = #line, access_tile_order = affine_map<(i) -> (i)>} : memref<?xf32> -> !ktdp.access_tile<?xindex>
  ktdp.store %b, %yt : tensor<?xf32>, <?xindex>
  return
}
