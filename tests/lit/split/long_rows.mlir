// Reductions that no program can fold at once.

// RUN: headrace-opt --tensor-legalization --split-input-file %s | filecheck %s

// A row that does not fit the scratchpad is folded in pieces, the results of the pieces (in the accumulator's type) after
// that. What follows reads the row once more.
ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @row_sum
// CHECK:       %[[ROW:.*]] = ktdp.load %{{.*}} -> tensor<1x1000000xf16>
// CHECK:       %[[PIECES:.*]] = tensor.expand_shape %[[ROW]] {{.*}} output_shape [1, 32, 31250]
// CHECK:       %[[PARTS:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[PIECES]] : tensor<1x32x31250xf16>) outs(%{{.*}} : tensor<1x32xf32>)
// CHECK:         arith.extf %{{.*}} : f16 to f32
// CHECK:       ktdp.store %[[PARTS]], %{{.*}} : tensor<1x32xf32>
// CHECK:       %[[KEPT:.*]] = ktdp.load %{{.*}} -> tensor<1x32xf32>
// CHECK:       %[[SUM:.*]] = linalg.reduce ins(%[[KEPT]] : tensor<1x32xf32>)
// CHECK:       arith.truncf %[[SUM]] : tensor<1xf32> to tensor<1xf16>
func.func @row_sum(%x: index, %r: index) attributes {grid = [1]} {
  %xv = ktdp.construct_memory_view %x, sizes: [1, 1000000], strides: [1000000, 1] {coordinate_set = affine_set<(i, j) : (i >= 0, -i >= 0, j >= 0, -j + 999999 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<1x1000000xf16>
  %rv = ktdp.construct_memory_view %r, sizes: [1], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<1xf16>
  %t = ktdp.construct_access_tile %xv[0, 0] {access_tile_set = affine_set<(i, j) : (i >= 0, -i >= 0, j >= 0, -j + 999999 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<1x1000000xf16> -> !ktdp.access_tile<1x1000000xindex>
  %d = ktdp.load %t : <1x1000000xindex> -> tensor<1x1000000xf16>
  %zero = arith.constant dense<0.0> : tensor<1xf16>
  %s = linalg.reduce { arith.addf } ins(%d : tensor<1x1000000xf16>) outs(%zero : tensor<1xf16>) dimensions = [1]
  %rt = ktdp.construct_access_tile %rv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<1xf16> -> !ktdp.access_tile<1xindex>
  ktdp.store %s, %rt : tensor<1xf16>, <1xindex>
  return
}

// -----

// An extent that only a launch knows, without upper bound: a loop over pieces, each as large as there is of it. The loop
// keeps the sum in the scratchpad.
ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @any_extent
// CHECK:       scf.for %[[J:.*]] = %{{.*}} to %[[N:.*]] step %c2048
// CHECK:         %[[LEFT:.*]] = arith.subi %[[N]], %[[J]] : index
// CHECK:         %[[LENGTH:.*]] = arith.minsi %{{.*}}, %[[LEFT]] : index
// CHECK:         ktdp.construct_access_tile %{{.*}}[0, %[[J]]] symbols(%[[LENGTH]])
// CHECK:         ktdp.load %{{.*}} {{.*}}-> tensor<4x?xf32>
// CHECK:         arith.cmpi slt, %{{.*}}, %[[LENGTH]] : index
// CHECK:         linalg.reduce { arith.maximumf }
func.func @any_extent(%n: index, %x: index, %r: index) attributes {grid = [1]} {
  %xv = ktdp.construct_memory_view %x, sizes: [4, %n], strides: [200000, 1] {coordinate_set = affine_set<(i, j)[s] : (i >= 0, -i + 3 >= 0, j >= 0, -j + s - 1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4x?xf32>
  %rv = ktdp.construct_memory_view %r, sizes: [4], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 3 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4xf32>
  %t = ktdp.construct_access_tile %xv[0, 0] symbols(%n) {access_tile_set = affine_set<(i, j)[s] : (i >= 0, -i + 3 >= 0, j >= 0, -j + s - 1 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<4x?xf32> -> !ktdp.access_tile<4x?xindex>
  %d = ktdp.load %t : <4x?xindex> -> tensor<4x?xf32>
  %low = arith.constant dense<0xFF800000> : tensor<4xf32>
  %m = linalg.reduce { arith.maximumf } ins(%d : tensor<4x?xf32>) outs(%low : tensor<4xf32>) dimensions = [1]
  %rt = ktdp.construct_access_tile %rv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i + 3 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<4xf32> -> !ktdp.access_tile<4xindex>
  ktdp.store %m, %rt : tensor<4xf32>, <4xindex>
  return
}

// -----

// A sum of 16-bit floats goes from piece to piece in the type that it accumulates in.
ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @any_sum
// CHECK:       scf.for
// CHECK:         arith.extf
// CHECK:         arith.addf %{{.*}}, %{{.*}} : tensor<4xf32>
// CHECK:       }
// CHECK:       arith.truncf %{{.*}} : tensor<4xf32> to tensor<4xf16>
func.func @any_sum(%n: index, %x: index, %r: index) attributes {grid = [1]} {
  %xv = ktdp.construct_memory_view %x, sizes: [4, %n], strides: [200000, 1] {coordinate_set = affine_set<(i, j)[s] : (i >= 0, -i + 3 >= 0, j >= 0, -j + s - 1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4x?xf16>
  %rv = ktdp.construct_memory_view %r, sizes: [4], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 3 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4xf16>
  %t = ktdp.construct_access_tile %xv[0, 0] symbols(%n) {access_tile_set = affine_set<(i, j)[s] : (i >= 0, -i + 3 >= 0, j >= 0, -j + s - 1 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<4x?xf16> -> !ktdp.access_tile<4x?xindex>
  %d = ktdp.load %t : <4x?xindex> -> tensor<4x?xf16>
  %low = arith.constant dense<0.0> : tensor<4xf16>
  %m = linalg.reduce { arith.addf } ins(%d : tensor<4x?xf16>) outs(%low : tensor<4xf16>) dimensions = [1]
  %rt = ktdp.construct_access_tile %rv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i + 3 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<4xf16> -> !ktdp.access_tile<4xindex>
  ktdp.store %m, %rt : tensor<4xf16>, <4xindex>
  return
}

// -----

// What the pieces of all results would take does not fit either: a loop over blocks of rows, each folded in pieces.
ktdf_arch.device @sample import("sample.mlir")
// CHECK-LABEL: func.func @large_product
// CHECK:       %[[A:.*]] = ktdp.load %{{.*}} -> tensor<1024x16384xf16>
// CHECK:       %[[B:.*]] = ktdp.load %{{.*}} -> tensor<16384x512xf16>
// CHECK:       scf.for %[[I:.*]] = %{{.*}} to %c1024 step %c1
// CHECK:         %[[ROWS:.*]] = tensor.extract_slice %[[A]][%[[I]], 0] [1, 16384] [1, 1]
// CHECK:         %[[PIECES:.*]] = tensor.expand_shape %[[ROWS]] {{.*}} output_shape [1, 64, 256]
// CHECK:         linalg.generic {{.*}} ins(%[[PIECES]], %{{.*}} : tensor<1x64x256xf16>, tensor<64x256x512xf16>) outs(%{{.*}} : tensor<1x512x64xf32>)
// CHECK:         ktdp.store %{{.*}}, %{{.*}} : tensor<1x512x64xf32>
// CHECK:         linalg.reduce ins(%{{.*}} : tensor<1x512x64xf32>)
// CHECK:         %[[C:.*]] = arith.truncf %{{.*}} : tensor<1x512xf32> to tensor<1x512xf16>
// CHECK:         ktdp.construct_access_tile %{{.*}}[%[[I]], 0]
// CHECK:         ktdp.store %[[C]], %{{.*}} : tensor<1x512xf16>
func.func @large_product(%a: index, %b: index, %c: index) attributes {grid = [1]} {
  %av = ktdp.construct_memory_view %a, sizes: [1024, 16384], strides: [16384, 1] {coordinate_set = affine_set<(i, j) : (i >= 0, -i + 1023 >= 0, j >= 0, -j + 16383 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<1024x16384xf16>
  %bv = ktdp.construct_memory_view %b, sizes: [16384, 512], strides: [512, 1] {coordinate_set = affine_set<(i, j) : (i >= 0, -i + 16383 >= 0, j >= 0, -j + 511 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<16384x512xf16>
  %cv = ktdp.construct_memory_view %c, sizes: [1024, 512], strides: [512, 1] {coordinate_set = affine_set<(i, j) : (i >= 0, -i + 1023 >= 0, j >= 0, -j + 511 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<1024x512xf16>
  %at = ktdp.construct_access_tile %av[0, 0] {access_tile_set = affine_set<(i, j) : (i >= 0, -i + 1023 >= 0, j >= 0, -j + 16383 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<1024x16384xf16> -> !ktdp.access_tile<1024x16384xindex>
  %bt = ktdp.construct_access_tile %bv[0, 0] {access_tile_set = affine_set<(i, j) : (i >= 0, -i + 16383 >= 0, j >= 0, -j + 511 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<16384x512xf16> -> !ktdp.access_tile<16384x512xindex>
  %x = ktdp.load %at : <1024x16384xindex> -> tensor<1024x16384xf16>
  %w = ktdp.load %bt : <16384x512xindex> -> tensor<16384x512xf16>
  %zero = arith.constant dense<0.0> : tensor<1024x512xf32>
  %y = linalg.matmul ins(%x, %w : tensor<1024x16384xf16>, tensor<16384x512xf16>) outs(%zero : tensor<1024x512xf32>) -> tensor<1024x512xf32>
  %z = arith.truncf %y : tensor<1024x512xf32> to tensor<1024x512xf16>
  %ct = ktdp.construct_access_tile %cv[0, 0] {access_tile_set = affine_set<(i, j) : (i >= 0, -i + 1023 >= 0, j >= 0, -j + 511 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<1024x512xf16> -> !ktdp.access_tile<1024x512xindex>
  ktdp.store %z, %ct : tensor<1024x512xf16>, <1024x512xindex>
  return
}
