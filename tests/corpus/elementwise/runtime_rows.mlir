// The row count is a runtime_arg: a multiple of 16, at most 256, known only at launch.
module {
  func.func @runtime_rows(%x: index, %out: index, %rows: !ktdp.runtime_arg<index, granularity=16, upperbound=256>) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %c4 = arith.constant 4 : index
    %n = ktdp.runtime_arg_extract value from %rows : <index, granularity=16, upperbound=256> -> index
    %part = arith.divui %n, %c4 : index
    %first = arith.muli %me, %part : index
    %xv = ktdp.construct_memory_view %x, sizes: [%n, 128], strides: [128, 1] {
      coordinate_set = affine_set<(i, j)[s] : (i >= 0, -i + s - 1 >= 0, j >= 0, -j + 127 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<?x128xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [%n, 128], strides: [128, 1] {
      coordinate_set = affine_set<(i, j)[s] : (i >= 0, -i + s - 1 >= 0, j >= 0, -j + 127 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<?x128xf16>
    %xt = ktdp.construct_access_tile %xv[%first, 0] symbols(%part) {
      access_tile_set = affine_set<(i, j)[s] : (i >= 0, -i + s - 1 >= 0, j >= 0, -j + 127 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<?x128xf16> -> !ktdp.access_tile<?x128xindex>
    %xd = ktdp.load %xt : <?x128xindex> -> tensor<?x128xf16>
    %r = arith.addf %xd, %xd : tensor<?x128xf16>
    %ot = ktdp.construct_access_tile %outv[%first, 0] symbols(%part) {
      access_tile_set = affine_set<(i, j)[s] : (i >= 0, -i + s - 1 >= 0, j >= 0, -j + 127 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<?x128xf16> -> !ktdp.access_tile<?x128xindex>
    ktdp.store %r, %ot : tensor<?x128xf16>, <?x128xindex>
    return
  }
}
