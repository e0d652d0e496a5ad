// Two results of different launch lengths from one loop: each as far as it goes, zeros from what is shorter
module {
  func.func @two_stored_lengths(%x: index, %w: index, %y: index, %z: index, %n: i32, %m: i32) attributes {grid = [4]} {
    %v1 = ktdp.get_compute_tile_id : index
    %v2 = arith.index_cast %n : i32 to index
    %v3 = arith.index_cast %m : i32 to index
    %v4 = arith.constant 64 : index
    %v5 = arith.muli %v1, %v4 : index
    %v6 = ktdp.construct_memory_view %x, sizes: [%v2], strides: [1] {coordinate_set = affine_set<(d0)[s0] : (d0 >= 0, -d0 + s0 - 1 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<?xf32>
    %v7 = ktdp.construct_memory_view %w, sizes: [%v3], strides: [1] {coordinate_set = affine_set<(d0)[s0] : (d0 >= 0, -d0 + s0 - 1 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<?xf32>
    %v8 = ktdp.construct_memory_view %y, sizes: [%v2], strides: [1] {coordinate_set = affine_set<(d0)[s0] : (d0 >= 0, -d0 + s0 - 1 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<?xf32>
    %v9 = ktdp.construct_memory_view %z, sizes: [%v3], strides: [1] {coordinate_set = affine_set<(d0)[s0] : (d0 >= 0, -d0 + s0 - 1 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<?xf32>
    %v10 = ktdp.construct_access_tile %v6[%v5] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 63 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<?xf32> -> !ktdp.access_tile<64xindex>
    %v11 = ktdp.load %v10 : !ktdp.access_tile<64xindex> -> tensor<64xf32>
    %v12 = ktdp.construct_access_tile %v7[%v5] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 63 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<?xf32> -> !ktdp.access_tile<64xindex>
    %v13 = ktdp.load %v12 : !ktdp.access_tile<64xindex> -> tensor<64xf32>
    %v14 = arith.addf %v11, %v11 : tensor<64xf32>
    %v15 = ktdp.construct_access_tile %v8[%v5] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 63 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<?xf32> -> !ktdp.access_tile<64xindex>
    ktdp.store %v14, %v15 : tensor<64xf32>, !ktdp.access_tile<64xindex>
    %v16 = arith.addf %v11, %v13 : tensor<64xf32>
    %v17 = ktdp.construct_access_tile %v9[%v5] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 63 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<?xf32> -> !ktdp.access_tile<64xindex>
    ktdp.store %v16, %v17 : tensor<64xf32>, !ktdp.access_tile<64xindex>
    return
  }
}
