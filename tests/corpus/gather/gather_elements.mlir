// Gather of single elements: out[i] = x[idx[i]], 64 of them.
module {
  func.func @gather_elements(%x: index, %ids: index, %out: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [300], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 299 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<300xf32>
    %idsv = ktdp.construct_memory_view %ids, sizes: [256], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 255 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<256xi32>
    %c1 = arith.constant 64 : index
    %v2 = arith.muli %me, %c1 : index
    %t3 = ktdp.construct_indirect_access_tile intermediate_variables(%r) %xv[ind(%idsv[%v2 + %r])] {
      variables_space_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>,
      variables_space_order = affine_map<(i) -> (i)>
    } : memref<300xf32>, memref<256xi32> -> !ktdp.access_tile<64xindex>
    %d4 = ktdp.load %t3 : <64xindex> -> tensor<64xf32>
    %outv = ktdp.construct_memory_view %out, sizes: [256], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 255 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<256xf32>
    %t5 = ktdp.construct_access_tile %outv[%v2] {
      access_tile_set = affine_set<(i) : (i >= 0, -i + 63 >= 0)>,
      access_tile_order = affine_map<(i) -> (i)>
    } : memref<256xf32> -> !ktdp.access_tile<64xindex>
    ktdp.store %d4, %t5 : tensor<64xf32>, <64xindex>
    return
  }
}
