// Each operation of ktdp with something wrong about it.
// RUN: %headrace-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

func.func @f(%t: tensor<4xf16>) {
  // expected-error @+1 {{'ktdp.yield_reduced' op expects parent op 'ktdp.inter_tile_reduce'}}
  "ktdp.yield_reduced"(%t) : (tensor<4xf16>) -> ()
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'ktdp.yield_partial' op expects parent op 'ktdp.inter_tile_produce'}}
  "ktdp.yield_partial"(%x) : (f32) -> ()
}

// -----

func.func @f() {
  // expected-error @+1 {{'ktdp.region_terminator' op expects parent op 'ktdp.construct_indirect_access_tile'}}
  "ktdp.region_terminator"() : () -> ()
}

// -----

#all = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#grp = affine_set<(g) : (g == 0)>
func.func @f(%f: !ktdp.tile_future<(tensor<8x4xf32>), groups = #grp>, %z: tensor<8x4xf32>, %w: tensor<8x4xf16>) {
  // expected-error @+1 {{gather_dimensions must not be empty (R12)}}
  %r = ktdp.inter_tile_gather(%f) consumer_tiles_per_group = #all, gather_dimensions = [] : <(tensor<8x4xf32>), groups = #grp> -> tensor<8x4xf32>
  return
}

// -----

#all = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#grp = affine_set<(g) : (g == 0)>
func.func @f(%f: !ktdp.tile_future<(tensor<8x4xf32>), groups = #grp>, %z: tensor<8x4xf32>, %w: tensor<8x4xf16>) {
  // expected-error @+1 {{gather_dimensions must be distinct and ascending, but is [1, 0] (R12)}}
  %r = ktdp.inter_tile_gather(%f) consumer_tiles_per_group = #all, gather_dimensions = [1, 0] : <(tensor<8x4xf32>), groups = #grp> -> tensor<8x4xf32>
  return
}

// -----

#all = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#grp = affine_set<(g) : (g == 0)>
func.func @f(%f: !ktdp.tile_future<(tensor<8x4xf32>), groups = #grp>, %z: tensor<8x4xf32>, %w: tensor<8x4xf16>) {
  // expected-error @+1 {{scatter_dimensions [2] has no axis of tensor<8x4xf32> in it (R9)}}
  %r = ktdp.inter_tile_scatter(%f) consumer_tiles_per_group = #all, scatter_dimensions = [2] : <(tensor<8x4xf32>), groups = #grp> -> tensor<2x4xf32>
  return
}

// -----

#all = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#grp = affine_set<(g) : (g == 0)>
func.func @f(%f: !ktdp.tile_future<(tensor<8x4xf32>), groups = #grp>, %z: tensor<8x4xf32>, %w: tensor<8x4xf16>) {
  // expected-error @+1 {{split_dimensions must be distinct and ascending, but is [0, 0] (R9)}}
  %r = ktdp.inter_tile_all_to_all(%f) consumer_tiles_per_group = #all, split_dimensions = [0, 0], concat_dimensions = [1] : <(tensor<8x4xf32>), groups = #grp> -> tensor<2x16xf32>
  return
}

// -----

#all = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#grp = affine_set<(g) : (g == 0)>
func.func @f(%f: !ktdp.tile_future<(tensor<8x4xf32>), groups = #grp>, %z: tensor<8x4xf32>, %w: tensor<8x4xf16>) {
  // expected-error @+1 {{result #0 has extent 5 in dimension 1, which is not listed; the partial has 4}}
  %r = ktdp.inter_tile_gather(%f) consumer_tiles_per_group = #all, gather_dimensions = [0] : <(tensor<8x4xf32>), groups = #grp> -> tensor<32x5xf32>
  return
}

// -----

#all = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#grp = affine_set<(g) : (g == 0)>
func.func @f(%f: !ktdp.tile_future<(tensor<8x4xf32>), groups = #grp>, %z: tensor<8x4xf32>, %w: tensor<8x4xf16>) {
  // expected-error @+1 {{result #0 has type tensor<32xf32>; element type and rank must be those of tensor<8x4xf32>}}
  %r = ktdp.inter_tile_gather(%f) consumer_tiles_per_group = #all, gather_dimensions = [0] : <(tensor<8x4xf32>), groups = #grp> -> tensor<32xf32>
  return
}

// -----

#all = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#grp = affine_set<(g) : (g == 0)>
func.func @f(%f: !ktdp.tile_future<(tensor<8x4xf32>), groups = #grp>, %z: tensor<8x4xf32>, %w: tensor<8x4xf16>) {
  // expected-error @+1 {{2 results, but the future has 1 partial types}}
  %r:2 = ktdp.inter_tile_gather(%f) consumer_tiles_per_group = #all, gather_dimensions = [0] : <(tensor<8x4xf32>), groups = #grp> -> tensor<32x4xf32>, tensor<32x4xf32>
  return
}

// -----

#all = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#grp = affine_set<(g) : (g == 0)>
func.func @f(%f: !ktdp.tile_future<(tensor<8x4xf32>), groups = #grp>, %z: tensor<8x4xf32>, %w: tensor<8x4xf16>) {
  // expected-error @+1 {{identity types must match the partial types (R11)}}
  %r = ktdp.inter_tile_reduce_scatter(%f) consumer_tiles_per_group = #all, scatter_dimensions = [0], identity(%w : tensor<8x4xf16>) : <(tensor<8x4xf32>), groups = #grp> -> tensor<2x4xf32> {
  ^bb0(%a: tensor<8x4xf32>, %b: tensor<8x4xf32>):
    ktdp.yield_reduced %a : tensor<8x4xf32>
  }
  return
}

// -----

#all = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#grp = affine_set<(g) : (g == 0)>
func.func @f(%f: !ktdp.tile_future<(tensor<8x4xf32>), groups = #grp>, %z: tensor<8x4xf32>, %w: tensor<8x4xf16>) {
  // expected-error @+1 {{unexpected clause in 'ktdp.inter_tile_scatter'}}
  %r = ktdp.inter_tile_scatter(%f) consumer_tiles_per_group = #all, scatter_dimensions = [0], producer_dependency_per_consumer = #all : <(tensor<8x4xf32>), groups = #grp> -> tensor<2x4xf32>
  return
}
