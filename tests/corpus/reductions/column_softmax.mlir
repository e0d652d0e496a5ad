// Softmax down the columns.
module {
  func.func @column_softmax(%x: index, %out: index) attributes {grid = [2]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [40, 128], strides: [128, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 39 >= 0, j >= 0, -j + 127 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<40x128xf32>
    %outv = ktdp.construct_memory_view %out, sizes: [40, 128], strides: [128, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 39 >= 0, j >= 0, -j + 127 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<40x128xf32>
    %xt = ktdp.construct_access_tile %xv[0, %me * 64] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 39 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<40x128xf32> -> !ktdp.access_tile<40x64xindex>
    %xd = ktdp.load %xt : <40x64xindex> -> tensor<40x64xf32>
    %ninf = arith.constant dense<0xFF800000> : tensor<64xf32>
    %m = linalg.reduce { arith.maximumf } ins(%xd : tensor<40x64xf32>) outs(%ninf : tensor<64xf32>) dimensions = [0]
    %mbe = tensor.empty() : tensor<40x64xf32>
    %mb = linalg.broadcast ins(%m : tensor<64xf32>) outs(%mbe : tensor<40x64xf32>) dimensions = [0]
    %d = arith.subf %xd, %mb : tensor<40x64xf32>
    %e = math.exp %d : tensor<40x64xf32>
    %z = arith.constant dense<0.000000e+00> : tensor<64xf32>
    %s = linalg.reduce { arith.addf } ins(%e : tensor<40x64xf32>) outs(%z : tensor<64xf32>) dimensions = [0]
    %sbe = tensor.empty() : tensor<40x64xf32>
    %sb = linalg.broadcast ins(%s : tensor<64xf32>) outs(%sbe : tensor<40x64xf32>) dimensions = [0]
    %r = arith.divf %e, %sb : tensor<40x64xf32>
    %ot = ktdp.construct_access_tile %outv[0, %me * 64] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 39 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<40x128xf32> -> !ktdp.access_tile<40x64xindex>
    ktdp.store %r, %ot : tensor<40x64xf32>, <40x64xindex>
    return
  }
}
