// RUN: %headrace-opt %s --ktir-check-legality --split-input-file --verify-diagnostics

#id = affine_map<(d0, d1) -> (d0, d1)>
#s = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#s1 = affine_set<(d0) : (d0 >= 0, -d0 + 7 >= 0)>
#id1 = affine_map<(d0) -> (d0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i == 0)>
#grp = affine_set<(g) : (g == 0)>
// N05
func.func @f(%v: tensor<8xf32>, %z: tensor<8xf32>) attributes {grid = [4]} {
  // expected-error @+1 {{the future must have exactly one use, but has 0 (R2)}}
  %f = ktdp.inter_tile_produce producer_tiles_per_group = #all -> <(tensor<8xf32>), groups = #grp> {
  ^bb0(%g: index):
    ktdp.yield_partial %v : tensor<8xf32>
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#s = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#s1 = affine_set<(d0) : (d0 >= 0, -d0 + 7 >= 0)>
#id1 = affine_map<(d0) -> (d0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i == 0)>
#grp = affine_set<(g) : (g == 0)>
// N11
func.func @f(%v: tensor<8xf32>, %z: tensor<8xf32>) attributes {grid = [4]} {
  %f = ktdp.inter_tile_produce producer_tiles_per_group = #one -> <(tensor<8xf32>), groups = #grp> {
  ^bb0(%g: index):
    ktdp.yield_partial %v : tensor<8xf32>
  }
  // expected-error @+1 {{consumer tile 0 of group 0 depends on tile 2, which does not produce (R3)}}
  %r = ktdp.inter_tile_consume(%f) consumer_tiles_per_group = #all, producer_dependency_per_consumer = affine_set<(p)[c] : (p == 2)> : <(tensor<8xf32>), groups = #grp> -> tensor<8xf32>
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#s = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#s1 = affine_set<(d0) : (d0 >= 0, -d0 + 7 >= 0)>
#id1 = affine_map<(d0) -> (d0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i == 0)>
#grp = affine_set<(g) : (g == 0)>
// N12
func.func @f(%v: tensor<8xf32>, %z: tensor<8xf32>) attributes {grid = [4]} {
  %f = ktdp.inter_tile_produce producer_tiles_per_group = #all -> <(tensor<8xf32>), groups = #grp> {
  ^bb0(%g: index):
    ktdp.yield_partial %v : tensor<8xf32>
  }
  // expected-error @+1 {{no consumer of group 0 depends on producer tile 1 (R4)}}
  %r = ktdp.inter_tile_consume(%f) consumer_tiles_per_group = #all, producer_dependency_per_consumer = affine_set<(p)[c] : (p == 0)> : <(tensor<8xf32>), groups = #grp> -> tensor<8xf32>
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#s = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#s1 = affine_set<(d0) : (d0 >= 0, -d0 + 7 >= 0)>
#id1 = affine_map<(d0) -> (d0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i == 0)>
#grp = affine_set<(g) : (g == 0)>
// N13
func.func @f(%v: tensor<8xf32>, %z: tensor<8xf32>) attributes {grid = [4]} {
  %f = ktdp.inter_tile_produce producer_tiles_per_group = #all -> <(tensor<8xf32>), groups = #grp> {
  ^bb0(%g: index):
    ktdp.yield_partial %v : tensor<8xf32>
  }
  // expected-error @+1 {{group 0 has 4 producers, so a dependency set must name each source (R8)}}
  %r = ktdp.inter_tile_consume(%f) consumer_tiles_per_group = #all : <(tensor<8xf32>), groups = #grp> -> tensor<8xf32>
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#s = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#s1 = affine_set<(d0) : (d0 >= 0, -d0 + 7 >= 0)>
#id1 = affine_map<(d0) -> (d0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i == 0)>
#grp = affine_set<(g) : (g == 0)>
// N14
func.func @f(%v: tensor<8xf32>, %z: tensor<8xf32>) attributes {grid = [4]} {
  %f = ktdp.inter_tile_produce producer_tiles_per_group = #all -> <(tensor<8xf32>), groups = #grp> {
  ^bb0(%g: index):
    ktdp.yield_partial %v : tensor<8xf32>
  }
  // expected-error @+1 {{consumer tile 0 of group 0 must have one source, but has 4 (R8)}}
  %r = ktdp.inter_tile_consume(%f) consumer_tiles_per_group = #all, producer_dependency_per_consumer = affine_set<(p)[c] : (p >= 0, -p + 3 >= 0)> : <(tensor<8xf32>), groups = #grp> -> tensor<8xf32>
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#s = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#s1 = affine_set<(d0) : (d0 >= 0, -d0 + 7 >= 0)>
#id1 = affine_map<(d0) -> (d0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i == 0)>
#grp = affine_set<(g) : (g == 0)>
// N15
func.func @f(%v: tensor<8xf32>, %z: tensor<8xf32>) attributes {grid = [4]} {
  %f = ktdp.inter_tile_produce producer_tiles_per_group = #one -> <(tensor<8xf32>), groups = #grp> {
  ^bb0(%g: index):
    ktdp.yield_partial %v : tensor<8xf32>
  }
  // expected-error @+1 {{consumer tile 1 of group 0 is not a producer (R13)}}
  %r = ktdp.inter_tile_reduce(%f) consumer_tiles_per_group = #all, identity(%z : tensor<8xf32>) : <(tensor<8xf32>), groups = #grp> -> tensor<8xf32> {
  ^bb0(%a: tensor<8xf32>, %b: tensor<8xf32>):
    ktdp.yield_reduced %a : tensor<8xf32>
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#s = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#s1 = affine_set<(d0) : (d0 >= 0, -d0 + 7 >= 0)>
#id1 = affine_map<(d0) -> (d0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i == 0)>
#grp = affine_set<(g) : (g == 0)>
// N16
func.func @f(%v: tensor<8xf32>, %z: tensor<8xf32>) attributes {grid = [4]} {
  %f = ktdp.inter_tile_produce producer_tiles_per_group = #all -> <(tensor<8xf32>), groups = #grp> {
  ^bb0(%g: index):
    ktdp.yield_partial %v : tensor<8xf32>
  }
  // expected-error @+1 {{group 0 must deliver to one tile or all producers, not to 2 tiles (R14)}}
  %r = ktdp.inter_tile_reduce(%f) consumer_tiles_per_group = affine_set<(i)[g] : (i >= 0, -i + 1 >= 0)>, identity(%z : tensor<8xf32>) : <(tensor<8xf32>), groups = #grp> -> tensor<8xf32> {
  ^bb0(%a: tensor<8xf32>, %b: tensor<8xf32>):
    ktdp.yield_reduced %a : tensor<8xf32>
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#s = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#s1 = affine_set<(d0) : (d0 >= 0, -d0 + 7 >= 0)>
#id1 = affine_map<(d0) -> (d0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i == 0)>
#grp = affine_set<(g) : (g == 0)>
// good
func.func @f(%v: tensor<8xf32>, %z: tensor<8xf32>) attributes {grid = [4]} {
  %f = ktdp.inter_tile_produce producer_tiles_per_group = #all -> <(tensor<8xf32>), groups = #grp> {
  ^bb0(%g: index):
    ktdp.yield_partial %v : tensor<8xf32>
  }
  %r = ktdp.inter_tile_reduce(%f) consumer_tiles_per_group = #all, identity(%z : tensor<8xf32>) : <(tensor<8xf32>), groups = #grp> -> tensor<8xf32> {
  ^bb0(%a: tensor<8xf32>, %b: tensor<8xf32>):
    ktdp.yield_reduced %a : tensor<8xf32>
  }
  %f2 = ktdp.inter_tile_produce producer_tiles_per_group = #one -> <(tensor<8xf32>), groups = #grp> {
  ^bb0(%g: index):
    ktdp.yield_partial %v : tensor<8xf32>
  }
  %r2 = ktdp.inter_tile_consume(%f2) consumer_tiles_per_group = #all : <(tensor<8xf32>), groups = #grp> -> tensor<8xf32>
  return
}

// -----

// A06
// expected-error @+1 {{grid extents must be positive, but dimension 1 has extent 0}}
func.func @f() attributes {grid = [2, 0]} {
  return
}

// -----

// A06
// expected-error @+1 {{grid must have at least one dimension}}
func.func @f() attributes {grid = []} {
  return
}

// -----

// U05
func.func @f(%i: index) {
  // expected-error @+1 {{'affine.apply' op is not legal in KTIR}}
  %0 = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
  return
}

// -----

func.func @f() attributes {grid = [2, 4]} {
  // expected-warning @+1 {{1 coordinates of a grid of rank 2: tiles share ids}}
  %0 = ktdp.get_compute_tile_id : index
  return
}

// -----

// N17
#all = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#grp = affine_set<(g) : (g == 0)>
func.func @f(%v: tensor<8xf32>, %z: tensor<8xf32>, %m: memref<1xf32>, %i: index, %x: f32) attributes {grid = [4]} {
  %f = ktdp.inter_tile_produce producer_tiles_per_group = #all -> <(tensor<8xf32>), groups = #grp> {
  ^bb0(%g: index):
    ktdp.yield_partial %v : tensor<8xf32>
  }
  %r = ktdp.inter_tile_reduce(%f) consumer_tiles_per_group = #all, identity(%z : tensor<8xf32>) : <(tensor<8xf32>), groups = #grp> -> tensor<8xf32> {
  ^bb0(%a: tensor<8xf32>, %b: tensor<8xf32>):
    // expected-error @+1 {{'memref.store' op in the combiner of an inter-tile reduction is not pure (R10)}}
    memref.store %x, %m[%i] : memref<1xf32>
    %c = arith.addf %a, %b : tensor<8xf32>
    ktdp.yield_reduced %c : tensor<8xf32>
  }
  return
}

// -----

#all = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#below = affine_set<(p)[c] : (p >= 0, c - p >= 0)>
#even = affine_set<(i)[g] : (i mod 2 == 0)>
#grp = affine_set<(g) : (g == 0)>
#two = affine_set<(g) : (g >= 0, -g + 1 >= 0)>
// R1: sets that only the grid bounds
func.func @f(%v: tensor<8x4xf32>) attributes {grid = [4]} {
  // expected-error @+1 {{producer sets must be disjoint, but groups 0 and 1 share tile 0 (R1)}}
  %f = ktdp.inter_tile_produce producer_tiles_per_group = #even -> <(tensor<8x4xf32>), groups = #two> {
  ^bb0(%g: index):
    ktdp.yield_partial %v : tensor<8x4xf32>
  }
  %r = ktdp.inter_tile_gather(%f) consumer_tiles_per_group = #even, gather_dimensions = [0] : <(tensor<8x4xf32>), groups = #two> -> tensor<16x4xf32>
  return
}

// -----

#all = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#below = affine_set<(p)[c] : (p >= 0, c - p >= 0)>
#even = affine_set<(i)[g] : (i mod 2 == 0)>
#grp = affine_set<(g) : (g == 0)>
#two = affine_set<(g) : (g >= 0, -g + 1 >= 0)>
// R6
func.func @f(%v: tensor<8x4xf32>) attributes {grid = [4]} {
  %f = ktdp.inter_tile_produce producer_tiles_per_group = #all -> <(tensor<8x4xf32>), groups = #grp> {
  ^bb0(%g: index):
    ktdp.yield_partial %v : tensor<8x4xf32>
  }
  // expected-error @+1 {{consumers of group 0 must depend on equally many tiles, but tile 0 depends on 1 and tile 1 on 2 (R6)}}
  %r = ktdp.inter_tile_gather(%f) consumer_tiles_per_group = #all, gather_dimensions = [0], producer_dependency_per_consumer = #below : <(tensor<8x4xf32>), groups = #grp> -> tensor<32x4xf32>
  return
}

// -----

#all = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#below = affine_set<(p)[c] : (p >= 0, c - p >= 0)>
#even = affine_set<(i)[g] : (i mod 2 == 0)>
#grp = affine_set<(g) : (g == 0)>
#two = affine_set<(g) : (g >= 0, -g + 1 >= 0)>
// R7
func.func @f(%v: tensor<8x4xf32>) attributes {grid = [4]} {
  %f = ktdp.inter_tile_produce producer_tiles_per_group = affine_set<(i)[g] : (i - g >= 0, -i + 3 * g >= 0)> -> <(tensor<8x4xf32>), groups = #two> {
  ^bb0(%g: index):
    ktdp.yield_partial %v : tensor<8x4xf32>
  }
  // expected-error @+1 {{groups must have equally many producers, but group 0 has 1 and group 1 has 3 (R7)}}
  %r = ktdp.inter_tile_gather(%f) consumer_tiles_per_group = #all, gather_dimensions = [0] : <(tensor<8x4xf32>), groups = #two> -> tensor<8x4xf32>
  return
}

// -----

#all = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#below = affine_set<(p)[c] : (p >= 0, c - p >= 0)>
#even = affine_set<(i)[g] : (i mod 2 == 0)>
#grp = affine_set<(g) : (g == 0)>
#two = affine_set<(g) : (g >= 0, -g + 1 >= 0)>
// R8 of a scatter
func.func @f(%v: tensor<8x4xf32>) attributes {grid = [4]} {
  %f = ktdp.inter_tile_produce producer_tiles_per_group = #all -> <(tensor<8x4xf32>), groups = #grp> {
  ^bb0(%g: index):
    ktdp.yield_partial %v : tensor<8x4xf32>
  }
  // expected-error @+1 {{group 0 must have one producer to scatter from, but has 4 (R8)}}
  %r = ktdp.inter_tile_scatter(%f) consumer_tiles_per_group = #all, scatter_dimensions = [0] : <(tensor<8x4xf32>), groups = #grp> -> tensor<2x4xf32>
  return
}

// -----

#all = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#below = affine_set<(p)[c] : (p >= 0, c - p >= 0)>
#even = affine_set<(i)[g] : (i mod 2 == 0)>
#grp = affine_set<(g) : (g == 0)>
#two = affine_set<(g) : (g >= 0, -g + 1 >= 0)>
// R9: extent 8 among three consumers
func.func @f(%v: tensor<8x4xf32>) attributes {grid = [4]} {
  %f = ktdp.inter_tile_produce producer_tiles_per_group = #all -> <(tensor<8x4xf32>), groups = #grp> {
  ^bb0(%g: index):
    ktdp.yield_partial %v : tensor<8x4xf32>
  }
  // expected-error @+1 {{result #0 on consumer tile 0 of group 0: extent 8 of dimensions [0] is not split among 3 consumers (R9)}}
  %r = ktdp.inter_tile_reduce_scatter(%f) consumer_tiles_per_group = affine_set<(i)[g] : (i >= 0, -i + 2 >= 0)>, scatter_dimensions = [0], identity(%v : tensor<8x4xf32>) : <(tensor<8x4xf32>), groups = #grp> -> tensor<2x4xf32> {
  ^bb0(%a: tensor<8x4xf32>, %b: tensor<8x4xf32>):
    ktdp.yield_reduced %a : tensor<8x4xf32>
  }
  return
}

// -----

#all = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#below = affine_set<(p)[c] : (p >= 0, c - p >= 0)>
#even = affine_set<(i)[g] : (i mod 2 == 0)>
#grp = affine_set<(g) : (g == 0)>
#two = affine_set<(g) : (g >= 0, -g + 1 >= 0)>
// R12: too small a result
func.func @f(%v: tensor<8x4xf32>) attributes {grid = [4]} {
  %f = ktdp.inter_tile_produce producer_tiles_per_group = #all -> <(tensor<8x4xf32>), groups = #grp> {
  ^bb0(%g: index):
    ktdp.yield_partial %v : tensor<8x4xf32>
  }
  // expected-error @+1 {{result #0 on consumer tile 0 of group 0: dimensions [0] of the result do not hold the parts of 4 producers (R12)}}
  %r = ktdp.inter_tile_gather(%f) consumer_tiles_per_group = #all, gather_dimensions = [0] : <(tensor<8x4xf32>), groups = #grp> -> tensor<24x4xf32>
  return
}

// -----

#all = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#below = affine_set<(p)[c] : (p >= 0, c - p >= 0)>
#even = affine_set<(i)[g] : (i mod 2 == 0)>
#grp = affine_set<(g) : (g == 0)>
#two = affine_set<(g) : (g >= 0, -g + 1 >= 0)>
// R10 of a reduce-scatter
func.func private @g()
func.func @f(%v: tensor<8x4xf32>) attributes {grid = [4]} {
  %f = ktdp.inter_tile_produce producer_tiles_per_group = #all -> <(tensor<8x4xf32>), groups = #grp> {
  ^bb0(%g: index):
    ktdp.yield_partial %v : tensor<8x4xf32>
  }
  %r = ktdp.inter_tile_reduce_scatter(%f) consumer_tiles_per_group = #all, scatter_dimensions = [0], identity(%v : tensor<8x4xf32>) : <(tensor<8x4xf32>), groups = #grp> -> tensor<2x4xf32> {
  ^bb0(%a: tensor<8x4xf32>, %b: tensor<8x4xf32>):
    // expected-error @+1 {{'func.call' op in the combiner of an inter-tile reduction is not pure (R10)}}
    func.call @g() : () -> ()
    ktdp.yield_reduced %a : tensor<8x4xf32>
  }
  return
}
