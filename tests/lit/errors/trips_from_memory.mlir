// RUN: headrace-opt --ktir-legality-check --verify-diagnostics %s

// No unit computes how often a loop runs from what it reads.

ktdf_arch.device @sample import("sample.mlir")
func.func @f(%ids: index, %out: index) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %iv = ktdp.construct_memory_view %ids, sizes: [1], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<1xi32>
  %it = ktdp.construct_access_tile %iv[0] {access_tile_set = affine_set<(i) : (i >= 0, -i >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<1xi32> -> !ktdp.access_tile<1xindex>
  %i = ktdp.load %it : <1xindex> -> tensor<1xi32>
  %e = tensor.extract %i[%c0] : tensor<1xi32>
  %n = arith.index_cast %e : i32 to index
  %ov = ktdp.construct_memory_view %out, sizes: [8], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 7 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<8xi32>
  // expected-error @below {{how often this loop runs is computed from elements of tensors, which no unit can do (ktir-legality-check); count to a bound known at launch and mask what lies beyond with arith.select}}
  scf.for %k = %c0 to %n step %c1 {
    %ot = ktdp.construct_access_tile %ov[%k] {access_tile_set = affine_set<(i) : (i >= 0, -i >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<8xi32> -> !ktdp.access_tile<1xindex>
    ktdp.store %i, %ot : tensor<1xi32>, <1xindex>
  }
  return
}
