// Vector addition, length from a runtime argument, the last program's block overhangs
module {
  func.func @vector_add_n(%x_ptr: index, %y_ptr: index, %o_ptr: index, %n: !ktdp.runtime_arg<index, granularity=1, upperbound=1000>) attributes {grid = [8]} {
    %c125 = arith.constant 125 : index
    %nv = ktdp.runtime_arg_extract value from %n : <index, granularity=1, upperbound=1000> -> index
    %pid = ktdp.get_compute_tile_id : index
    %b = arith.muli %pid, %c125 : index
    %x = ktdp.construct_memory_view %x_ptr, sizes: [%nv], strides: [1] {coordinate_set = affine_set<(i)[n] : (i >= 0, -i + n - 1 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<?xf32>
    %y = ktdp.construct_memory_view %y_ptr, sizes: [%nv], strides: [1] {coordinate_set = affine_set<(i)[n] : (i >= 0, -i + n - 1 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<?xf32>
    %o = ktdp.construct_memory_view %o_ptr, sizes: [%nv], strides: [1] {coordinate_set = affine_set<(i)[n] : (i >= 0, -i + n - 1 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<?xf32>
    %t = ktdp.construct_access_tile %x[%b] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 124 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<?xf32> -> !ktdp.access_tile<125xindex>
    %u = ktdp.construct_access_tile %y[%b] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 124 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<?xf32> -> !ktdp.access_tile<125xindex>
    %w = ktdp.construct_access_tile %o[%b] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 124 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<?xf32> -> !ktdp.access_tile<125xindex>
    %a = ktdp.load %t : !ktdp.access_tile<125xindex> -> tensor<125xf32>
    %c = ktdp.load %u : !ktdp.access_tile<125xindex> -> tensor<125xf32>
    %s = arith.addf %a, %c : tensor<125xf32>
    ktdp.store %s, %w : tensor<125xf32>, !ktdp.access_tile<125xindex>
    return
  }
}
