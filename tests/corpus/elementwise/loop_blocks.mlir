// A loop over row blocks around one load-compute-store group: its iterations become one pipeline.
module {
  func.func @loop_blocks(%x: index, %y: index, %out: index) attributes {grid = [16]} {
    %me = ktdp.get_compute_tile_id : index
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c2 = arith.constant 2 : index
    %xv = ktdp.construct_memory_view %x, sizes: [128, 128], strides: [128, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 127 >= 0, j >= 0, -j + 127 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<128x128xf16>
    %yv = ktdp.construct_memory_view %y, sizes: [128, 128], strides: [128, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 127 >= 0, j >= 0, -j + 127 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<128x128xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [128, 128], strides: [128, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 127 >= 0, j >= 0, -j + 127 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<128x128xf16>
    scf.for %i = %c0 to %c8 step %c2 {
      %row0 = arith.muli %me, %c8 : index
      %row = arith.addi %row0, %i : index
    %xt = ktdp.construct_access_tile %xv[%row, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 127 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<128x128xf16> -> !ktdp.access_tile<2x128xindex>
    %xd = ktdp.load %xt : <2x128xindex> -> tensor<2x128xf16>
    %yt = ktdp.construct_access_tile %yv[%row, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 127 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<128x128xf16> -> !ktdp.access_tile<2x128xindex>
    %yd = ktdp.load %yt : <2x128xindex> -> tensor<2x128xf16>
    %r = arith.addf %xd, %yd : tensor<2x128xf16>
    %ot = ktdp.construct_access_tile %outv[%row, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 127 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<128x128xf16> -> !ktdp.access_tile<2x128xindex>
    ktdp.store %r, %ot : tensor<2x128xf16>, <2x128xindex>
    }
    return
  }
}
