// RUN: headrace-opt --compute-group-extraction %s | filecheck %s

// Two products that share an operand are two programs, as a program for a matrix unit has one; a second result of the
// same product stays with the first.

module {
  // CHECK: call @local_schedule_0(
  // CHECK-NEXT: call @local_schedule_1(
  // CHECK-NEXT: return
  // CHECK: module @local_schedule_0
  // CHECK-COUNT-2: ktdp.store
  // CHECK: module @local_schedule_1
  // CHECK: ktdp.store
  // CHECK-NOT: ktdp.store
  func.func @k(%a: index, %b: index, %c: index, %d: index, %e: index, %f: index) attributes {grid = [1]} {
    %z = arith.constant dense<0.0> : tensor<16x16xf32>
    %av = ktdp.construct_memory_view %a, sizes: [16, 16], strides: [16, 1] {coordinate_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 15 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<16x16xf16>
    %at = ktdp.construct_access_tile %av[0, 0] {access_tile_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 15 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<16x16xf16> -> !ktdp.access_tile<16x16xindex>
    %ax = ktdp.load %at : <16x16xindex> -> tensor<16x16xf16>
    %bv = ktdp.construct_memory_view %b, sizes: [16, 16], strides: [16, 1] {coordinate_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 15 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<16x16xf16>
    %bt = ktdp.construct_access_tile %bv[0, 0] {access_tile_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 15 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<16x16xf16> -> !ktdp.access_tile<16x16xindex>
    %bx = ktdp.load %bt : <16x16xindex> -> tensor<16x16xf16>
    %cv = ktdp.construct_memory_view %c, sizes: [16, 16], strides: [16, 1] {coordinate_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 15 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<16x16xf16>
    %ct = ktdp.construct_access_tile %cv[0, 0] {access_tile_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 15 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<16x16xf16> -> !ktdp.access_tile<16x16xindex>
    %cx = ktdp.load %ct : <16x16xindex> -> tensor<16x16xf16>
    %dy = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%ax, %bx : tensor<16x16xf16>, tensor<16x16xf16>) outs(%z : tensor<16x16xf32>) {
    ^bb0(%p: f16, %q: f16, %s: f32):
      %p1 = arith.extf %p : f16 to f32
      %q1 = arith.extf %q : f16 to f32
      %m = arith.mulf %p1, %q1 : f32
      %t = arith.addf %s, %m : f32
      linalg.yield %t : f32
    } -> tensor<16x16xf32>
    %dr = arith.truncf %dy : tensor<16x16xf32> to tensor<16x16xf16>
    %dv = ktdp.construct_memory_view %d, sizes: [16, 16], strides: [16, 1] {coordinate_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 15 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<16x16xf16>
    %dt = ktdp.construct_access_tile %dv[0, 0] {access_tile_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 15 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<16x16xf16> -> !ktdp.access_tile<16x16xindex>
    ktdp.store %dr, %dt : tensor<16x16xf16>, <16x16xindex>
    %n = arith.negf %dr : tensor<16x16xf16>
    %fv = ktdp.construct_memory_view %f, sizes: [16, 16], strides: [16, 1] {coordinate_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 15 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<16x16xf16>
    %ft = ktdp.construct_access_tile %fv[0, 0] {access_tile_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 15 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<16x16xf16> -> !ktdp.access_tile<16x16xindex>
    ktdp.store %n, %ft : tensor<16x16xf16>, <16x16xindex>
    %ey = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%ax, %cx : tensor<16x16xf16>, tensor<16x16xf16>) outs(%z : tensor<16x16xf32>) {
    ^bb0(%p: f16, %q: f16, %s: f32):
      %p1 = arith.extf %p : f16 to f32
      %q1 = arith.extf %q : f16 to f32
      %m = arith.mulf %p1, %q1 : f32
      %t = arith.addf %s, %m : f32
      linalg.yield %t : f32
    } -> tensor<16x16xf32>
    %er = arith.truncf %ey : tensor<16x16xf32> to tensor<16x16xf16>
    %ev = ktdp.construct_memory_view %e, sizes: [16, 16], strides: [16, 1] {coordinate_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 15 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<16x16xf16>
    %et = ktdp.construct_access_tile %ev[0, 0] {access_tile_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 15 >= 0)>, access_tile_order = affine_map<(i, j) -> (i, j)>} : memref<16x16xf16> -> !ktdp.access_tile<16x16xindex>
    ktdp.store %er, %et : tensor<16x16xf16>, <16x16xindex>
    return
  }
}
