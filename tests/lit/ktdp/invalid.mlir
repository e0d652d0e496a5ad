// RUN: %headrace-opt %s --split-input-file --verify-diagnostics

#id = affine_map<(d0, d1) -> (d0, d1)>
#s = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#s1 = affine_set<(d0) : (d0 >= 0, -d0 + 7 >= 0)>
#id1 = affine_map<(d0) -> (d0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i == 0)>
#grp = affine_set<(g) : (g == 0)>
// T01
// expected-error @+1 {{element type of an access tile must be 'index', but is f32}}
func.func private @f(!ktdp.access_tile<4xf32>)

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#s = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#s1 = affine_set<(d0) : (d0 >= 0, -d0 + 7 >= 0)>
#id1 = affine_map<(d0) -> (d0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i == 0)>
#grp = affine_set<(g) : (g == 0)>
// T02
// expected-error @+1 {{extents of an access tile must be '?' or at least 0}}
func.func private @f(!ktdp.access_tile<-4xindex>)

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#s = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#s1 = affine_set<(d0) : (d0 >= 0, -d0 + 7 >= 0)>
#id1 = affine_map<(d0) -> (d0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i == 0)>
#grp = affine_set<(g) : (g == 0)>
// T03
// expected-error @+1 {{underlying type of a runtime_arg must be index, integer or float, but is tensor<4xf32>}}
func.func private @f(!ktdp.runtime_arg<tensor<4xf32>>)

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#s = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#s1 = affine_set<(d0) : (d0 >= 0, -d0 + 7 >= 0)>
#id1 = affine_map<(d0) -> (d0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i == 0)>
#grp = affine_set<(g) : (g == 0)>
// T04
// expected-error @+1 {{granularity of a runtime_arg must be positive, but is 0}}
func.func private @f(!ktdp.runtime_arg<index, granularity=0>)

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#s = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#s1 = affine_set<(d0) : (d0 >= 0, -d0 + 7 >= 0)>
#id1 = affine_map<(d0) -> (d0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i == 0)>
#grp = affine_set<(g) : (g == 0)>
// T05
// expected-error @+1 {{duplicate keyword 'granularity' in runtime_arg}}
func.func private @f(!ktdp.runtime_arg<index, granularity=1, granularity=2>)

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#s = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#s1 = affine_set<(d0) : (d0 >= 0, -d0 + 7 >= 0)>
#id1 = affine_map<(d0) -> (d0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i == 0)>
#grp = affine_set<(g) : (g == 0)>
// T05
// expected-error @+1 {{unknown keyword 'multiple' in runtime_arg}}
func.func private @f(!ktdp.runtime_arg<index, multiple=1>)

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#s = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#s1 = affine_set<(d0) : (d0 >= 0, -d0 + 7 >= 0)>
#id1 = affine_map<(d0) -> (d0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i == 0)>
#grp = affine_set<(g) : (g == 0)>
// T06
// expected-error @+1 {{partial types of a tile_future must be ranked tensors, but got f32}}
func.func private @f(!ktdp.tile_future<(f32), groups = #grp>)

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#s = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#s1 = affine_set<(d0) : (d0 >= 0, -d0 + 7 >= 0)>
#id1 = affine_map<(d0) -> (d0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i == 0)>
#grp = affine_set<(g) : (g == 0)>
// T07
// expected-error @+1 {{tile_future needs at least one partial type}}
func.func private @f(!ktdp.tile_future<(), groups = #grp>)

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#s = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#s1 = affine_set<(d0) : (d0 >= 0, -d0 + 7 >= 0)>
#id1 = affine_map<(d0) -> (d0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i == 0)>
#grp = affine_set<(g) : (g == 0)>
// T08
// expected-error @+1 {{groups must have exactly one dimension, but has 2}}
func.func private @f(!ktdp.tile_future<(tensor<4xf32>), groups = #s>)

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#s = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#s1 = affine_set<(d0) : (d0 >= 0, -d0 + 7 >= 0)>
#id1 = affine_map<(d0) -> (d0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i == 0)>
#grp = affine_set<(g) : (g == 0)>
// T09
// expected-error @+1 {{groups must have no symbols}}
func.func private @f(!ktdp.tile_future<(tensor<4xf32>), groups = #one>)

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#s = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#s1 = affine_set<(d0) : (d0 >= 0, -d0 + 7 >= 0)>
#id1 = affine_map<(d0) -> (d0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i == 0)>
#grp = affine_set<(g) : (g == 0)>
// A01
// expected-error @+1 {{core is only valid for LX memory}}
func.func private @f(memref<4xf32, #ktdp.spyre_memory_space<HBM, core = 3>>)

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#s = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#s1 = affine_set<(d0) : (d0 >= 0, -d0 + 7 >= 0)>
#id1 = affine_map<(d0) -> (d0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i == 0)>
#grp = affine_set<(g) : (g == 0)>
// A02
// expected-error @+1 {{core must be non-negative, but is -2}}
func.func private @f(memref<4xf32, #ktdp.spyre_memory_space<LX, core = -2>>)

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#s = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#s1 = affine_set<(d0) : (d0 >= 0, -d0 + 7 >= 0)>
#id1 = affine_map<(d0) -> (d0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i == 0)>
#grp = affine_set<(g) : (g == 0)>
// A03
// expected-error @+1 {{unknown memory space, expected one of HBM, LX, L0, unspecified}}
func.func private @f(memref<4xf32, #ktdp.spyre_memory_space<DDR>>)

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#s = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#s1 = affine_set<(d0) : (d0 >= 0, -d0 + 7 >= 0)>
#id1 = affine_map<(d0) -> (d0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i == 0)>
#grp = affine_set<(g) : (g == 0)>
// A04
// expected-error @+1 {{ct_id is only valid for ct_local memory}}
func.func private @f(memref<4xf32, #ktdp.memory_space<global, ct_id = 1>>)

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#s = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#s1 = affine_set<(d0) : (d0 >= 0, -d0 + 7 >= 0)>
#id1 = affine_map<(d0) -> (d0)>
#all = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>
#one = affine_set<(i)[g] : (i == 0)>
#grp = affine_set<(g) : (g == 0)>
// V01
func.func @f(%p: index, %n: index) {
  // expected-error @+1 {{sizes have 2 entries, but the result memref has rank 1}}
  %v = ktdp.construct_memory_view %p, sizes: [3, 64], strides: [64, 1] {coordinate_set = #s, memory_space = #ktdp.memory_space<global>} : memref<3xf16>
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
// V02
func.func @f(%p: index, %n: index) {
  // expected-error @+1 {{sizes and strides must have the same length (2 vs 1)}}
  %v = ktdp.construct_memory_view %p, sizes: [3, 64], strides: [64] {coordinate_set = #s, memory_space = #ktdp.memory_space<global>} : memref<3x64xf16>
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
// V03
func.func @f(%p: index, %n: index) {
  // expected-error @+1 {{requires attribute 'memory_space'}}
  %v = ktdp.construct_memory_view %p, sizes: [3, 64], strides: [64, 1] {coordinate_set = #s} : memref<3x64xf16>
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
// V04
func.func @f(%p: index, %n: index) {
  // expected-error @+1 {{literal size 3 of dimension 0 contradicts the memref's extent 4}}
  %v = ktdp.construct_memory_view %p, sizes: [3, 64], strides: [64, 1] {coordinate_set = #s, memory_space = #ktdp.memory_space<global>} : memref<4x64xf16>
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
// V04
func.func @f(%p: index, %n: index) {
  // expected-error @+1 {{literal size 3 of dimension 0 contradicts the memref's extent ?}}
  %v = ktdp.construct_memory_view %p, sizes: [3, 64], strides: [64, 1] {coordinate_set = #s, memory_space = #ktdp.memory_space<global>} : memref<?x64xf16>
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
// V05
func.func @f(%p: index, %n: index) {
  // expected-error @+1 {{coordinate_set has 2 dimensions, but the view has rank 1}}
  %v = ktdp.construct_memory_view %p, sizes: [3], strides: [1] {coordinate_set = #s, memory_space = #ktdp.memory_space<global>} : memref<3xf16>
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
// V05
func.func @f(%p: index, %n: index) {
  // expected-error @+1 {{coordinate_set has 0 symbols, but there are 1 dynamic sizes}}
  %v = ktdp.construct_memory_view %p, sizes: [%n], strides: [1] {coordinate_set = #s1, memory_space = #ktdp.memory_space<global>} : memref<?xf16>
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
// V06
func.func @f(%p: index, %n: index) {
  // expected-error @+1 {{result must be a ranked memref}}
  %v = ktdp.construct_memory_view %p, sizes: [3, 64], strides: [64, 1] {coordinate_set = #s, memory_space = #ktdp.memory_space<global>} : memref<*xf16>
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
// 1.3
func.func @f(%p: index, %n: index) {
  // expected-error @+1 {{differs from memory_space}}
  %v = ktdp.construct_memory_view %p, sizes: [3, 64], strides: [64, 1] {coordinate_set = #s, memory_space = #ktdp.memory_space<global>} : memref<3x64xf16, "L1">
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
// D01
func.func @f(%a: memref<3x64xf16>, %b: memref<64xf16>, %e: memref<3x64xf32>) {
  // expected-error @+1 {{element type f32 of operand #1 must match the result's f16}}
  %d = ktdp.construct_distributed_memory_view(%a, %e : memref<3x64xf16>, memref<3x64xf32>) : memref<6x64xf16>
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
// D02
func.func @f(%a: memref<3x64xf16>, %b: memref<64xf16>, %e: memref<3x64xf32>) {
  // expected-error @+1 {{rank 1 of operand #0 must match the result's 2}}
  %d = ktdp.construct_distributed_memory_view(%b : memref<64xf16>) : memref<6x64xf16>
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
// C01
func.func @f(%v: memref<8x64xf16>, %i: index, %k: i32) {
  // expected-error @+1 {{requires attribute 'access_tile_order'}}
  %t = ktdp.construct_access_tile %v[%i, 0] {access_tile_set = #s} : memref<8x64xf16> -> !ktdp.access_tile<3x64xindex>
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
// C01
func.func @f(%v: memref<8x64xf16>, %i: index, %k: i32) {
  // expected-error @+1 {{requires attribute 'access_tile_set'}}
  %t = ktdp.construct_access_tile %v[%i, 0] {access_tile_order = #id} : memref<8x64xf16> -> !ktdp.access_tile<3x64xindex>
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
// C02
func.func @f(%v: memref<8x64xf16>, %i: index, %k: i32) {
  // expected-error @+1 {{access_tile_set has 2 dimensions, but there are 1 subscripts}}
  %t = ktdp.construct_access_tile %v[%i] {access_tile_set = #s, access_tile_order = #id} : memref<8x64xf16> -> !ktdp.access_tile<3x64xindex>
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
// C03
func.func @f(%v: memref<8x64xf16>, %i: index, %k: i32) {
  // expected-error @+1 {{access_tile_set has 0 symbols, but 1 symbol operands were given}}
  %t = ktdp.construct_access_tile %v[%i, 0] symbols(%i) {access_tile_set = #s, access_tile_order = #id} : memref<8x64xf16> -> !ktdp.access_tile<3x64xindex>
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
// C04
func.func @f(%v: memref<8x64xf16>, %i: index, %k: i32) {
  // expected-error @+1 {{access_tile_order must have as many inputs as results (2 inputs, 1 results)}}
  %t = ktdp.construct_access_tile %v[%i, 0] {access_tile_set = #s, access_tile_order = affine_map<(a, b) -> (a)>} : memref<8x64xf16> -> !ktdp.access_tile<3x64xindex>
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
// C04
func.func @f(%v: memref<8x64xf16>, %i: index, %k: i32) {
  // expected-error @+1 {{access_tile_order has 1 results, but access_tile_set has 2 dimensions}}
  %t = ktdp.construct_access_tile %v[%i, 0] {access_tile_set = #s, access_tile_order = #id1} : memref<8x64xf16> -> !ktdp.access_tile<3x64xindex>
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
// C05
func.func @f(%v: memref<8x64xf16>, %i: index, %k: i32) {
  // expected-error @+1 {{result has rank 1, but access_tile_set has 2 dimensions}}
  %t = ktdp.construct_access_tile %v[%i, 0] {access_tile_set = #s, access_tile_order = #id} : memref<8x64xf16> -> !ktdp.access_tile<3xindex>
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
// C06
func.func @f(%v: memref<8x4x64xf16>, %i: index, %k: i32) {
  // expected-error @+1 {{there are 2 subscripts, but the base has rank 3}}
  %t = ktdp.construct_access_tile %v[%i, 0] {access_tile_set = #s, access_tile_order = #id} : memref<8x4x64xf16> -> !ktdp.access_tile<3x64xindex>
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
// C06
func.func @f(%v: memref<8x64xf16>, %i: index, %k: i32) {
  // expected-error @+1 {{access_tile_order must be a permutation of the dimensions of access_tile_set}}
  %t = ktdp.construct_access_tile %v[%i, 0] {access_tile_set = #s, access_tile_order = affine_map<(a, b) -> (b, b)>} : memref<8x64xf16> -> !ktdp.access_tile<3x64xindex>
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
// C07
func.func @f(%v: memref<8x64xf16>, %i: index, %k: i32) {
  // expected-error @+1 {{expected the full type '!ktdp.access_tile<...>'}}
  %t = ktdp.construct_access_tile %v[%i, 0] {access_tile_set = #s, access_tile_order = #id} : memref<8x64xf16> -> <3x64xindex>
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
// C08
func.func @f(%v: memref<8x64xf16>, %i: index, %k: i32) {
  // expected-error @+1 {{subscript '%k' has type 'i32', expected 'index'; convert it with arith.index_cast}}
  %t = ktdp.construct_access_tile %v[%k, 0] {access_tile_set = #s, access_tile_order = #id} : memref<8x64xf16> -> !ktdp.access_tile<3x64xindex>
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
// I01
func.func @f(%v: memref<8x64xf16>, %x: memref<8xi32>, %y: memref<8xf32>, %i: index) {
  // expected-error @+1 {{there are 1 subscripts, but the base has rank 2}}
  %t = ktdp.construct_indirect_access_tile intermediate_variables(%a, %b) %v[ind(%x[%a])] {variables_space_set = #s, variables_space_order = #id} : memref<8x64xf16>, memref<8xi32> -> !ktdp.access_tile<3x64xindex>
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
// I02
func.func @f(%v: memref<8x64xf16>, %x: memref<8xi32>, %y: memref<8xf32>, %i: index) {
  // expected-error @+1 {{expected 2 types (base and one per 'ind'), but got 1}}
  %t = ktdp.construct_indirect_access_tile intermediate_variables(%a, %b) %v[ind(%x[%a]), (%b)] {variables_space_set = #s, variables_space_order = #id} : memref<8x64xf16> -> !ktdp.access_tile<3x64xindex>
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
// I04
func.func @f(%v: memref<8x64xf16>, %x: memref<8xi32>, %y: memref<8xf32>, %i: index) {
  // expected-error @+1 {{indirect subscript #0 has 2 results, but its index view has rank 1}}
  %t = ktdp.construct_indirect_access_tile intermediate_variables(%a, %b) %v[ind(%x[%a, %b]), (%b)] {variables_space_set = #s, variables_space_order = #id} : memref<8x64xf16>, memref<8xi32> -> !ktdp.access_tile<3x64xindex>
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
// I05
func.func @f(%v: memref<8x64xf16>, %x: memref<8xi32>, %y: memref<8xf32>, %i: index) {
  // expected-error @+1 {{there are 1 intermediate variables, but variables_space_set has 2 dimensions}}
  %t = ktdp.construct_indirect_access_tile intermediate_variables(%a) %v[ind(%x[%a]), (%a)] {variables_space_set = #s, variables_space_order = #id} : memref<8x64xf16>, memref<8xi32> -> !ktdp.access_tile<3x64xindex>
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
// I06
func.func @f(%v: memref<8x64xf16>, %x: memref<8xi32>, %y: memref<8xf32>, %i: index) {
  // expected-error @+1 {{variables_space_set has 0 symbols, but 1 symbol operands were given}}
  %t = ktdp.construct_indirect_access_tile intermediate_variables(%a, %b) %v[ind(%x[%a]), (%b)] symbols(%i) {variables_space_set = #s, variables_space_order = #id} : memref<8x64xf16>, memref<8xi32> -> !ktdp.access_tile<3x64xindex>
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
// I07
func.func @f(%v: memref<8x64xf16>, %x: memref<8xi32>, %y: memref<8xf32>, %i: index) {
  // expected-error @+1 {{variables_space_order has 1 results, but variables_space_set has 2 dimensions}}
  %t = ktdp.construct_indirect_access_tile intermediate_variables(%a, %b) %v[ind(%x[%a]), (%b)] {variables_space_set = #s, variables_space_order = #id1} : memref<8x64xf16>, memref<8xi32> -> !ktdp.access_tile<3x64xindex>
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
// I08
func.func @f(%v: memref<8x64xf16>, %x: memref<8xi32>, %y: memref<8xf32>, %i: index) {
  // expected-error @+1 {{}}
  %t = ktdp.construct_indirect_access_tile intermediate_variables(%a, %b) %v[ind(%x[%a]) (%b)] {variables_space_set = #s, variables_space_order = #id} : memref<8x64xf16>, memref<8xi32> -> !ktdp.access_tile<3x64xindex>
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
// I09
func.func @f(%v: memref<8x64xf16>, %x: memref<8xi32>, %y: memref<8xf32>, %i: index) {
  // expected-error @+1 {{index view of subscript #0 must hold integers, but holds f32}}
  %t = ktdp.construct_indirect_access_tile intermediate_variables(%a, %b) %v[ind(%y[%a]), (%b)] {variables_space_set = #s, variables_space_order = #id} : memref<8x64xf16>, memref<8xf32> -> !ktdp.access_tile<3x64xindex>
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
// 4.5
func.func @f(%v: memref<8x64xf16>, %x: memref<8xi32>, %y: memref<8xf32>, %i: index) {
  // expected-error @+1 {{subscripts of an indirect access tile must not have symbols}}
  %t = ktdp.construct_indirect_access_tile intermediate_variables(%a, %b) %v[ind(%x[symbol(%i)]), (%b)] {variables_space_set = #s, variables_space_order = #id} : memref<8x64xf16>, memref<8xi32> -> !ktdp.access_tile<3x64xindex>
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
// M01
func.func @f(%t: !ktdp.access_tile<3x64xindex>, %w: tensor<64xf16>, %m: memref<3x64xf16>) {
  // expected-error @+1 {{shape of the result tensor<64x3xf16> must match the shape of the access tile !ktdp.access_tile<3x64xindex>}}
  %r = ktdp.load %t : <3x64xindex> -> tensor<64x3xf16>
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
// M02
func.func @f(%t: !ktdp.access_tile<3x64xindex>, %w: tensor<64xf16>, %m: memref<3x64xf16>) {
  // expected-error @+1 {{shape of the data tensor<64xf16> must match the shape of the access tile}}
  ktdp.store %w, %t : tensor<64xf16>, <3x64xindex>
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
// M03
func.func @f(%t: !ktdp.access_tile<3x64xindex>, %w: tensor<64xf16>, %m: memref<3x64xf16>) {
  // expected-error @+1 {{result must be a ranked tensor, but is f16}}
  %r = ktdp.load %t : <3x64xindex> -> f16
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
// G01
func.func @f() {
  // expected-error @+1 {{result #0 must be of type 'index', but is i32}}
  %r = ktdp.get_compute_tile_id : i32
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
// G01
func.func @f() {
  // expected-error @+1 {{expected at least one result}}
  "ktdp.get_compute_tile_id"() : () -> ()
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
// X01
func.func @f(%a: !ktdp.runtime_arg<i32, granularity=8>) {
  // expected-error @+1 {{result type index must match the underlying type i32}}
  %r = ktdp.runtime_arg_extract value from %a : <i32, granularity=8> -> index
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
// X02
func.func @f(%a: !ktdp.runtime_arg<i32, granularity=8>) {
  // expected-error @+1 {{the runtime_arg has no upperbound}}
  %r = ktdp.runtime_arg_extract upperbound from %a : <i32, granularity=8> -> index
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
// X03
func.func @f(%a: !ktdp.runtime_arg<i32, granularity=8>) {
  // expected-error @+1 {{result of 'granularity' must be of type 'index', but is i32}}
  %r = ktdp.runtime_arg_extract granularity from %a : <i32, granularity=8> -> i32
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
// S05
func.func @f(%a: !ktdp.runtime_arg<i32, granularity=8>) {
  // expected-error @+1 {{expected one of value, granularity, upperbound}}
  %r = ktdp.runtime_arg_extract size from %a : <i32, granularity=8> -> i32
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
// N01
func.func @f(%v: tensor<8xf32>, %z: tensor<8xf16>, %u: tensor<4xf32>) {
  // expected-error @+1 {{region must have exactly one block argument of type 'index'}}
  %f = ktdp.inter_tile_produce producer_tiles_per_group = #all -> <(tensor<8xf32>), groups = #grp> {
  ^bb0(%g: i32):
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
// N02
func.func @f(%v: tensor<8xf32>, %z: tensor<8xf16>, %u: tensor<4xf32>) {
  // expected-error @+1 {{producer_tiles_per_group must have exactly one symbol, but has 0}}
  %f = ktdp.inter_tile_produce producer_tiles_per_group = #grp -> <(tensor<8xf32>), groups = #grp> {
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
// N03
func.func @f(%v: tensor<8xf32>, %z: tensor<8xf16>, %u: tensor<4xf32>) {
  // expected-error @+1 {{producer sets must be disjoint, but groups 0 and 1 share tile 0 (R1)}}
  %f = ktdp.inter_tile_produce producer_tiles_per_group = #all -> <(tensor<8xf32>), groups = affine_set<(g) : (g >= 0, -g + 1 >= 0)>> {
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
// N04
func.func @f(%v: tensor<8xf32>, %z: tensor<8xf16>, %u: tensor<4xf32>) {
  // expected-error @+1 {{yielded value #0 has type tensor<4xf32>, but the partial type is tensor<8xf32>}}
  %f = ktdp.inter_tile_produce producer_tiles_per_group = #all -> <(tensor<8xf32>), groups = #grp> {
  ^bb0(%g: index):
    ktdp.yield_partial %u : tensor<4xf32>
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
// N04
func.func @f(%v: tensor<8xf32>, %z: tensor<8xf16>, %u: tensor<4xf32>) {
  // expected-error @+1 {{2 values yielded, but the future has 1 partial types}}
  %f = ktdp.inter_tile_produce producer_tiles_per_group = #all -> <(tensor<8xf32>), groups = #grp> {
  ^bb0(%g: index):
    ktdp.yield_partial %v, %v : tensor<8xf32>, tensor<8xf32>
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
// N06
func.func @f(%f: !ktdp.tile_future<(tensor<8xf32>), groups = #grp>, %v: tensor<8xf32>, %z: tensor<8xf16>) {
  // expected-error @+1 {{result #0 has type tensor<8xf16>, but the partial type is tensor<8xf32>}}
  %r = ktdp.inter_tile_consume(%f) consumer_tiles_per_group = #all : <(tensor<8xf32>), groups = #grp> -> tensor<8xf16>
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
// N08
func.func @f(%f: !ktdp.tile_future<(tensor<8xf32>), groups = #grp>, %v: tensor<8xf32>, %z: tensor<8xf16>) {
  // expected-error @+1 {{consumer_tiles_per_group must have exactly one dimension and one symbol}}
  %r = ktdp.inter_tile_consume(%f) consumer_tiles_per_group = #grp : <(tensor<8xf32>), groups = #grp> -> tensor<8xf32>
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
// N09
func.func @f(%f: !ktdp.tile_future<(tensor<8xf32>), groups = #grp>, %v: tensor<8xf32>, %z: tensor<8xf16>) {
  // expected-error @+1 {{producer_dependency_per_consumer must have one dimension and one or two symbols}}
  %r = ktdp.inter_tile_consume(%f) consumer_tiles_per_group = #all, producer_dependency_per_consumer = #grp : <(tensor<8xf32>), groups = #grp> -> tensor<8xf32>
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
// N07
func.func @f(%f: !ktdp.tile_future<(tensor<8xf32>), groups = #grp>, %v: tensor<8xf32>, %z: tensor<8xf16>) {
  // expected-error @+1 {{identity types must match the result types}}
  %r = ktdp.inter_tile_reduce(%f) consumer_tiles_per_group = #all, identity(%z : tensor<8xf16>) : <(tensor<8xf32>), groups = #grp> -> tensor<8xf32> {
  ^bb0(%a: tensor<8xf32>, %b: tensor<8xf32>):
    ktdp.yield_reduced %v : tensor<8xf32>
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
// N10
func.func @f(%f: !ktdp.tile_future<(tensor<8xf32>), groups = #grp>, %v: tensor<8xf32>, %z: tensor<8xf16>) {
  // expected-error @+1 {{region must have 2 block arguments of the partial types}}
  %r = ktdp.inter_tile_reduce(%f) consumer_tiles_per_group = #all, identity(%v : tensor<8xf32>) : <(tensor<8xf32>), groups = #grp> -> tensor<8xf32> {
  ^bb0(%a: tensor<8xf32>):
    ktdp.yield_reduced %v : tensor<8xf32>
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
// N10
func.func @f(%f: !ktdp.tile_future<(tensor<8xf32>), groups = #grp>, %v: tensor<8xf32>, %z: tensor<8xf16>) {
  // expected-error @+1 {{values of 'ktdp.yield_reduced' must match the partial types}}
  %r = ktdp.inter_tile_reduce(%f) consumer_tiles_per_group = #all, identity(%v : tensor<8xf32>) : <(tensor<8xf32>), groups = #grp> -> tensor<8xf32> {
  ^bb0(%a: tensor<8xf32>, %b: tensor<8xf32>):
    ktdp.yield_reduced %z : tensor<8xf16>
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
// 5.4
func.func @f(%f: !ktdp.tile_future<(tensor<8xf32>), groups = #grp>, %v: tensor<8xf32>, %z: tensor<8xf16>) {
  // expected-error @+1 {{}}
  ktdp.yield_partial %v : tensor<8xf32>
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
// N20
func.func @f(%f: !ktdp.tile_future<(tensor<8xf32>), groups = #grp>, %v: tensor<8xf32>, %z: tensor<8xf16>) {
  // expected-error @+1 {{expected 'scatter_dimensions'}}
  %r = ktdp.inter_tile_scatter(%f) consumer_tiles_per_group = #all, gather_dimensions = [0] : <(tensor<8xf32>), groups = #grp> -> tensor<32xf32>
  return
}
