// RUN: headrace-opt --compute-group-extraction %s | filecheck %s

// A loop that moves blocks towards an end only known at launch stays outside: its program is given the loop variable
// and is cut to the room that is left.

ktdf_arch.device @sample import("sample.mlir")
// CHECK: func.func @blocks(
// CHECK: scf.for %[[J:.*]] = %{{.*}} to %{{.*}} step
// CHECK: func.call @local_schedule_0(%{{.*}}%[[J]]
// CHECK: func.func @local_schedule_0(
// CHECK-NOT: scf.for
func.func @blocks(%x: index, %y: index, %n: index) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %xv = ktdp.construct_memory_view %x, sizes: [%n], strides: [1] {coordinate_set = affine_set<(i)[s] : (i >= 0, -i + s - 1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<?xf32>
  %yv = ktdp.construct_memory_view %y, sizes: [%n], strides: [1] {coordinate_set = affine_set<(i)[s] : (i >= 0, -i + s - 1 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<?xf32>
  scf.for %j = %c0 to %n step %c32 {
    %xt = ktdp.construct_access_tile %xv[%j] {access_tile_set = affine_set<(i) : (i >= 0, -i + 31 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<?xf32> -> !ktdp.access_tile<32xindex>
    %a = ktdp.load %xt : <32xindex> -> tensor<32xf32>
    %b = math.tanh %a : tensor<32xf32>
    %yt = ktdp.construct_access_tile %yv[%j] {access_tile_set = affine_set<(i) : (i >= 0, -i + 31 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<?xf32> -> !ktdp.access_tile<32xindex>
    ktdp.store %b, %yt : tensor<32xf32>, <32xindex>
  }
  return
}
