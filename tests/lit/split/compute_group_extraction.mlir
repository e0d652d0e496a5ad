// RUN: headrace-opt --compute-group-extraction --split-input-file --verify-diagnostics %s | filecheck %s

// A loop with two load-compute-store groups that hand over through memory: two programs, called by the coordinator.

#set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>
#id = affine_map<(i) -> (i)>

// CHECK: module {
// CHECK: func.func @two(%[[X:.*]]: index, %[[T:.*]]: index)
// CHECK: scf.for %[[I:.*]] =
// CHECK: func.call @local_schedule_0(%[[X]], %[[I]], %[[T]])
// CHECK: func.call @local_schedule_1(%[[T]], %[[I]])
// CHECK: module @local_schedule_0
// CHECK: math.exp
// CHECK: ktdp.store
// CHECK: module @local_schedule_1
// CHECK: arith.addf
// CHECK: ktdp.store
func.func @two(%x: index, %t: index) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %xv = ktdp.construct_memory_view %x, sizes: [256], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 255 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<256xf16>
  %tv = ktdp.construct_memory_view %t, sizes: [256], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 255 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<256xf16>
  scf.for %i = %c0 to %c4 step %c1 {
    %a0 = ktdp.construct_access_tile %xv[%i * 64] {access_tile_set = #set, access_tile_order = #id} : memref<256xf16> -> !ktdp.access_tile<64xindex>
    %a = ktdp.load %a0 : <64xindex> -> tensor<64xf16>
    %b = math.exp %a : tensor<64xf16>
    %b0 = ktdp.construct_access_tile %tv[%i * 64] {access_tile_set = #set, access_tile_order = #id} : memref<256xf16> -> !ktdp.access_tile<64xindex>
    ktdp.store %b, %b0 : tensor<64xf16>, <64xindex>
    %d = ktdp.load %b0 : <64xindex> -> tensor<64xf16>
    %e = arith.addf %d, %d : tensor<64xf16>
    ktdp.store %e, %b0 : tensor<64xf16>, <64xindex>
  }
  return
}

// -----

// The value from before the loop would be read anew in each iteration.

#set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>
#id = affine_map<(i) -> (i)>
func.func @stale(%x: index) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %xv = ktdp.construct_memory_view %x, sizes: [64], strides: [1] {coordinate_set = #set, memory_space = #ktdp.memory_space<global>} : memref<64xf16>
  %t = ktdp.construct_access_tile %xv[0] {access_tile_set = #set, access_tile_order = #id} : memref<64xf16> -> !ktdp.access_tile<64xindex>
  // expected-error@+1 {{the loaded value is used in a loop that overwrites the same memory; compute-group-extraction}}
  %a = ktdp.load %t : <64xindex> -> tensor<64xf16>
  scf.for %i = %c0 to %c4 step %c1 {
    %b = ktdp.load %t : <64xindex> -> tensor<64xf16>
    %e = arith.addf %a, %b : tensor<64xf16>
    // expected-note@+1 {{overwritten here}}
    ktdp.store %e, %t : tensor<64xf16>, <64xindex>
  }
  return
}
