// A loop nest that interleaves three load-compute-store groups: three programs and a coordinator, results handed over through memory.
module {
  func.func @three_programs(%x: index, %y: index, %tmp: index, %sum: index, %out: index) attributes {grid = [2]} {
    %me = ktdp.get_compute_tile_id : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %xv = ktdp.construct_memory_view %x, sizes: [16, 128], strides: [128, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 127 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<16x128xf32>
    %yv = ktdp.construct_memory_view %y, sizes: [16, 128], strides: [128, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 127 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<16x128xf32>
    %tmpv = ktdp.construct_memory_view %tmp, sizes: [16, 128], strides: [128, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 127 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<16x128xf32>
    %sumv = ktdp.construct_memory_view %sum, sizes: [16, 128], strides: [128, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 127 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<16x128xf32>
    %outv = ktdp.construct_memory_view %out, sizes: [16, 128], strides: [128, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 127 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<16x128xf32>
    scf.for %i = %c0 to %c4 step %c1 {
      scf.for %j = %c0 to %c2 step %c1 {
    %xt = ktdp.construct_access_tile %xv[%me * 8 + %i * 2, %j * 64] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<16x128xf32> -> !ktdp.access_tile<2x64xindex>
    %xd = ktdp.load %xt : <2x64xindex> -> tensor<2x64xf32>
    %yt = ktdp.construct_access_tile %yv[%me * 8 + %i * 2, %j * 64] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<16x128xf32> -> !ktdp.access_tile<2x64xindex>
    %yd = ktdp.load %yt : <2x64xindex> -> tensor<2x64xf32>
    %p = arith.mulf %xd, %yd : tensor<2x64xf32>
    %tt = ktdp.construct_access_tile %tmpv[%me * 8 + %i * 2, %j * 64] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<16x128xf32> -> !ktdp.access_tile<2x64xindex>
    ktdp.store %p, %tt : tensor<2x64xf32>, <2x64xindex>
      }
    %t2 = ktdp.construct_access_tile %tmpv[%me * 8 + %i * 2, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 127 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<16x128xf32> -> !ktdp.access_tile<2x128xindex>
    %td = ktdp.load %t2 : <2x128xindex> -> tensor<2x128xf32>
    %k = arith.constant dense<5.000000e-01> : tensor<2x128xf32>
    %h = arith.mulf %td, %k : tensor<2x128xf32>
    %st = ktdp.construct_access_tile %sumv[%me * 8 + %i * 2, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 127 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<16x128xf32> -> !ktdp.access_tile<2x128xindex>
    ktdp.store %h, %st : tensor<2x128xf32>, <2x128xindex>
    %s2 = ktdp.construct_access_tile %sumv[%me * 8 + %i * 2, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 127 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<16x128xf32> -> !ktdp.access_tile<2x128xindex>
    %sd = ktdp.load %s2 : <2x128xindex> -> tensor<2x128xf32>
    %d = arith.subf %td, %sd : tensor<2x128xf32>
    %ot = ktdp.construct_access_tile %outv[%me * 8 + %i * 2, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 127 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<16x128xf32> -> !ktdp.access_tile<2x128xindex>
    ktdp.store %d, %ot : tensor<2x128xf32>, <2x128xindex>
    }
    return
  }
}
