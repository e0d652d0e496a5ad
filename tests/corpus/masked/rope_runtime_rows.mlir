// Rows known only at launch, columns put together from two halves (rope with runtime rows).
module {
  func.func @rope_runtime_rows(%n: !ktdp.runtime_arg<index, granularity=2, upperbound=20>, %x: index, %out: index) attributes {grid = [2]} {
    %me = ktdp.get_compute_tile_id : index
    %v1 = ktdp.runtime_arg_extract value from %n : <index, granularity=2, upperbound=20> -> index
    %c2 = arith.constant 2 : index
    %v3 = arith.divui %v1, %c2 : index
    %v4 = arith.muli %me, %v3 : index
    %xv = ktdp.construct_memory_view %x, sizes: [%v1, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j)[s0] : (i >= 0, -i + s0 - 1 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<?x64xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [%v1, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j)[s0] : (i >= 0, -i + s0 - 1 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<?x64xf16>
    %t5 = ktdp.construct_access_tile %xv[%v4, 0] symbols(%v3) {
      access_tile_set = affine_set<(i, j)[s0] : (i >= 0, -i + s0 - 1 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<?x64xf16> -> !ktdp.access_tile<?x64xindex>
    %d6 = ktdp.load %t5 : <?x64xindex> -> tensor<?x64xf16>
    %v7 = tensor.extract_slice %d6[0, 0] [%v3, 32] [1, 1] : tensor<?x64xf16> to tensor<?x32xf16>
    %v8 = tensor.extract_slice %d6[0, 32] [%v3, 32] [1, 1] : tensor<?x64xf16> to tensor<?x32xf16>
    %v9 = arith.negf %v8 : tensor<?x32xf16>
    %v10 = tensor.concat dim(1) %v9, %v7 : (tensor<?x32xf16>, tensor<?x32xf16>) -> tensor<?x64xf16>
    %t11 = ktdp.construct_access_tile %outv[%v4, 0] symbols(%v3) {
      access_tile_set = affine_set<(i, j)[s0] : (i >= 0, -i + s0 - 1 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<?x64xf16> -> !ktdp.access_tile<?x64xindex>
    ktdp.store %v10, %t11 : tensor<?x64xf16>, <?x64xindex>
    return
  }
}
