// RUN: %headrace-opt %s | %headrace-opt | %filecheck %s
// RUN: %headrace-opt %s --mlir-print-op-generic | %headrace-opt | %filecheck %s

#row = affine_set<(r, c) : (r >= 0, -r + 2 >= 0, c >= 0, -c + 63 >= 0)>
#id = affine_map<(r, c) -> (r, c)>
#swap = affine_map<(a, b) -> (b, a)>

// CHECK-DAG: affine_set<(d0, d1) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 63 >= 0)>
// CHECK-LABEL: func.func @views
func.func @views(%p: index, %n: index, %row: index, %col: index) attributes {grid = [2, 2]} {
  // CHECK: %{{.*}}:2 = ktdp.get_compute_tile_id : index, index
  %x, %y = ktdp.get_compute_tile_id : index, index
  // CHECK: %[[V:.*]] = ktdp.construct_memory_view %{{.*}}, sizes: [%{{.*}}, 64], strides: [64, 1] {coordinate_set = #set{{.*}}, memory_space = #ktdp.memory_space<global>} : memref<?x64xf16>
  %v = ktdp.construct_memory_view %p, sizes :[%n,64], strides: [64, 1] {
    memory_space = #ktdp.memory_space<global>,
    coordinate_set = affine_set<(r, c)[n] : (r >= 0, -r + n - 1 >= 0, c >= 0, -c + 63 >= 0)>} : memref<?x64xf16>
  // CHECK: memory_space = #ktdp.spyre_memory_space<LX, core = 3>} : memref<3x64xf16>
  %l = ktdp.construct_memory_view %p, sizes: [3, 64], strides: [64, 1] {coordinate_set = #row, memory_space = #ktdp.spyre_memory_space<LX, core = 3>} : memref<3x64xf16>
  // CHECK: memory_space = #ktdp.spyre_memory_space<LX>}
  %l1 = ktdp.construct_memory_view %p, sizes: [3, 64], strides: [64, 1] {coordinate_set = #row, memory_space = #ktdp.spyre_memory_space<LX, core = -1>} : memref<3x64xf16>
  // CHECK: memory_space = #ktdp.memory_space<ct_local, ct_id = 1>}
  %l2 = ktdp.construct_memory_view %p, sizes: [3, 64], strides: [64, 1] {coordinate_set = #row, memory_space = #ktdp.memory_space<ct_local, ct_id = 1>} : memref<3x64xf16>
  // CHECK: ktdp.construct_distributed_memory_view(%{{.*}}, %{{.*}} : memref<3x64xf16>, memref<3x64xf16>) : memref<3x64xf16>
  %d = ktdp.construct_distributed_memory_view (%l, %l2 : memref<3x64xf16>, memref<3x64xf16>) : memref<3x64xf16>
  // CHECK: ktdp.construct_access_tile %[[V]][%{{.*}} * 2 + 1, 0] {access_tile_order = #map{{.*}}, access_tile_set = #set{{.*}}} : memref<?x64xf16> -> !ktdp.access_tile<3x64xindex>
  %t = ktdp.construct_access_tile %v[2 * %row + 1, 0] {access_tile_set = #row, access_tile_order = #id} : memref<?x64xf16> -> !ktdp.access_tile<3x64xindex>
  // CHECK: ktdp.construct_access_tile %[[V]][%{{.*}} + symbol(%{{.*}}), %{{.*}} floordiv 64] symbols(%{{.*}})
  %u = ktdp.construct_access_tile %v[%row + symbol(%n), (%col floordiv 64)] symbols(%n) {
    access_tile_set = affine_set<(a, b)[w] : (a >= 0, -a + 2 >= 0, b >= 0, -b + w - 1 >= 0)>, access_tile_order = #id} : memref<?x64xf16> -> !ktdp.access_tile<3x?xindex>
  // CHECK: -> !ktdp.access_tile<64x3xindex>
  %s = ktdp.construct_access_tile %v[%row, 0] {access_tile_set = #row, access_tile_order = #swap} : memref<?x64xf16> -> !ktdp.access_tile<64 x 3 x index>
  // CHECK: ktdp.load %{{.*}} : <3x64xindex> -> tensor<3x64xf16>
  %r = ktdp.load %t : !ktdp.access_tile<3x64xindex> -> tensor<3x64xf16>
  // CHECK: ktdp.store %{{.*}}, %{{.*}} : tensor<3x64xf16>, <3x64xindex>
  ktdp.store %r, %t : tensor<3x64xf16>, <3x64xindex>
  return
}

// CHECK-LABEL: func.func @indirect
func.func @indirect(%table: memref<512x16xf16>, %ids: memref<64xi64>, %r0: index, %w: index) {
  // CHECK: ktdp.construct_indirect_access_tile intermediate_variables(%[[K:.*]], %[[C:.*]]) %{{.*}}[ind(%{{.*}}[%[[R:.*]] + %[[K]]]), (%[[C]])] {variables_space_order = #map{{.*}}, variables_space_set = #set{{.*}}} : memref<512x16xf16>, memref<64xi64> -> !ktdp.access_tile<4x16xindex>
  %t = ktdp.construct_indirect_access_tile intermediate_variables(%k, %c) %table[ind(%ids[%r0 + %k]), (%c)] {
    variables_space_set = affine_set<(k, c) : (k >= 0, -k + 3 >= 0, c >= 0, -c + 15 >= 0)>,
    variables_space_order = affine_map<(k, c) -> (k, c)>
  } : memref<512x16xf16>, memref<64xi64> -> !ktdp.access_tile<4x16xindex>
  // CHECK: ktdp.construct_indirect_access_tile intermediate_variables(%[[K2:.*]], %[[C2:.*]]) %{{.*}}[(%{{.*}} + %[[K2]]), (%[[C2]])] symbols(%{{.*}})
  %u = ktdp.construct_indirect_access_tile intermediate_variables (%k, %c) %table[(%k + %r0), (%c)] symbols(%w) {
    variables_space_set = affine_set<(k, c)[w] : (k >= 0, -k + w - 1 >= 0, c >= 0, -c + 15 >= 0)>,
    variables_space_order = affine_map<(k, c) -> (k, c)>
  } : memref<512x16xf16> -> !ktdp.access_tile<?x16xindex>
  return
}

// CHECK-LABEL: func.func @rank0
func.func @rank0(%p: memref<f16>) {
  // CHECK: ktdp.construct_indirect_access_tile intermediate_variables() %{{.*}}[] {{.*}} : memref<f16> -> !ktdp.access_tile<index>
  %t = ktdp.construct_indirect_access_tile intermediate_variables() %p[] {
    variables_space_set = affine_set<() : ()>, variables_space_order = affine_map<() -> ()>} : memref<f16> -> !ktdp.access_tile<index>
  // CHECK: ktdp.load %{{.*}} : <index> -> tensor<f16>
  %v = ktdp.load %t : <index> -> tensor<f16>
  return
}

// CHECK-LABEL: func.func @arguments
// CHECK-SAME: !ktdp.runtime_arg<index, granularity=3, upperbound=9>
func.func @arguments(%a: !ktdp.runtime_arg<index, upperbound = 9, granularity=3>, %b: !ktdp.runtime_arg<f32>) {
  // CHECK: ktdp.runtime_arg_extract value from %{{.*}} : <index, granularity=3, upperbound=9> -> index
  %v = ktdp.runtime_arg_extract value from %a : <index, granularity=3, upperbound=9> -> index
  // CHECK: ktdp.runtime_arg_extract granularity from
  %g = ktdp.runtime_arg_extract granularity from %a : !ktdp.runtime_arg<index, granularity=3, upperbound=9> -> index
  // CHECK: ktdp.runtime_arg_extract upperbound from
  %u = ktdp.runtime_arg_extract upperbound from %a : <index, granularity=3, upperbound=9> -> index
  // CHECK: ktdp.runtime_arg_extract value from %{{.*}} : <f32> -> f32
  %f = ktdp.runtime_arg_extract value from %b : <f32> -> f32
  return
}

#all = affine_set<(i)[g] : (i - 4*g >= 0, -i + 4*g + 3 >= 0)>
#grp = affine_set<(g) : (g == 0)>
#dep = affine_set<(p)[c] : (p == 0)>
// CHECK-LABEL: func.func @tiles
func.func @tiles(%v: tensor<8xf32>, %z: tensor<8xf32>) {
  // CHECK: %[[F:.*]] = ktdp.inter_tile_produce producer_tiles_per_group = #set{{.*}} -> <(tensor<8xf32>), groups = #set{{.*}}> {
  // CHECK-NEXT: ^bb0(%{{.*}}: index):
  // CHECK-NEXT: ktdp.yield_partial %{{.*}} : tensor<8xf32>
  %f = ktdp.inter_tile_produce producer_tiles_per_group = #all -> <(tensor<8xf32>), groups = #grp> {
  ^bb0(%gid: index):
    ktdp.yield_partial %v : tensor<8xf32>
  }
  // CHECK: ktdp.inter_tile_reduce(%[[F]]) consumer_tiles_per_group = #set{{.*}}, identity(%{{.*}} : tensor<8xf32>) : <(tensor<8xf32>), groups = #set{{.*}}> -> tensor<8xf32> {
  %s = ktdp.inter_tile_reduce(%f) consumer_tiles_per_group = #all, identity(%z : tensor<8xf32>)
       : <(tensor<8xf32>), groups = #grp> -> tensor<8xf32> {
  ^bb0(%a: tensor<8xf32>, %b: tensor<8xf32>):
    %t = arith.addf %a, %b : tensor<8xf32>
    // CHECK: ktdp.yield_reduced %{{.*}} : tensor<8xf32>
    ktdp.yield_reduced %t : tensor<8xf32>
  }
  %h = ktdp.inter_tile_produce producer_tiles_per_group = affine_set<(i)[g] : (i == 0)> -> <(tensor<8xf32>, tensor<4xf16>), groups = #grp> {
  ^bb0(%gid: index):
    %e = tensor.empty() : tensor<4xf16>
    ktdp.yield_partial %v, %e : tensor<8xf32>, tensor<4xf16>
  }
  // CHECK: %{{.*}}:2 = ktdp.inter_tile_consume(%{{.*}}) consumer_tiles_per_group = #set{{.*}}, producer_dependency_per_consumer = #set{{.*}} : <(tensor<8xf32>, tensor<4xf16>), groups = #set{{.*}}> -> tensor<8xf32>, tensor<4xf16>
  %c:2 = ktdp.inter_tile_consume(%h) consumer_tiles_per_group = #all, producer_dependency_per_consumer = #dep
       : <(tensor<8xf32>, tensor<4xf16>), groups = #grp> -> tensor<8xf32>, tensor<4xf16>
  return
}

#four = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
// CHECK-LABEL: func.func @parts
func.func @parts(%v: tensor<8x4xf32>) {
  %f = ktdp.inter_tile_produce producer_tiles_per_group = #four -> <(tensor<8x4xf32>), groups = #grp> {
  ^bb0(%gid: index):
    ktdp.yield_partial %v : tensor<8x4xf32>
  }
  // CHECK: ktdp.inter_tile_gather(%{{.*}}) consumer_tiles_per_group = #set{{.*}}, gather_dimensions = [0] : <(tensor<8x4xf32>), groups = #set{{.*}}> -> tensor<32x4xf32>
  %a = ktdp.inter_tile_gather(%f) consumer_tiles_per_group = #four, gather_dimensions = [0] : <(tensor<8x4xf32>), groups = #grp> -> tensor<32x4xf32>
  // CHECK: ktdp.inter_tile_all_to_all(%{{.*}}) consumer_tiles_per_group = #set{{.*}}, split_dimensions = [0], concat_dimensions = [1], producer_dependency_per_consumer = #set{{.*}} : <(tensor<8x4xf32>), groups = #set{{.*}}> -> tensor<2x4xf32>
  %b = ktdp.inter_tile_all_to_all(%f) consumer_tiles_per_group = #four, split_dimensions = [0], concat_dimensions = [1], producer_dependency_per_consumer = #dep : <(tensor<8x4xf32>), groups = #grp> -> tensor<2x4xf32>
  // CHECK: ktdp.inter_tile_scatter(%{{.*}}) consumer_tiles_per_group = #set{{.*}}, scatter_dimensions = [0, 1] : <(tensor<8x4xf32>), groups = #set{{.*}}> -> tensor<4x2xf32>
  %c = ktdp.inter_tile_scatter(%f) consumer_tiles_per_group = #four, scatter_dimensions = [0, 1] : <(tensor<8x4xf32>), groups = #grp> -> tensor<4x2xf32>
  // CHECK: ktdp.inter_tile_reduce_scatter(%{{.*}}) consumer_tiles_per_group = #set{{.*}}, scatter_dimensions = [0], identity(%{{.*}} : tensor<8x4xf32>) : <(tensor<8x4xf32>), groups = #set{{.*}}> -> tensor<2x4xf32> {
  %d = ktdp.inter_tile_reduce_scatter(%f) consumer_tiles_per_group = #four, scatter_dimensions = [0], identity(%v : tensor<8x4xf32>) : <(tensor<8x4xf32>), groups = #grp> -> tensor<2x4xf32> {
  ^bb0(%x: tensor<8x4xf32>, %y: tensor<8x4xf32>):
    %t = arith.addf %x, %y : tensor<8x4xf32>
    ktdp.yield_reduced %t : tensor<8x4xf32>
  }
  return
}
