// Loop variable used as data: each block is multiplied by its number.
module {
  func.func @loop_variable_as_data(%x: index, %out: index) attributes {grid = [2]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [2, 4, 2, 64], strides: [512, 128, 64, 1] {
      coordinate_set = affine_set<(i, j, k, l) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 3 >= 0, k >= 0, -k + 1 >= 0, l >= 0, -l + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<2x4x2x64xf32>
    %outv = ktdp.construct_memory_view %out, sizes: [2, 4, 2, 64], strides: [512, 128, 64, 1] {
      coordinate_set = affine_set<(i, j, k, l) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 3 >= 0, k >= 0, -k + 1 >= 0, l >= 0, -l + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<2x4x2x64xf32>
    %c1 = arith.constant 0 : index
    %c2 = arith.constant 1 : index
    %c3 = arith.constant 4 : index
    scf.for %b = %c1 to %c3 step %c2 {
      %v4 = arith.index_cast %b : index to i32
      %v5 = arith.sitofp %v4 : i32 to f32
      %t6 = ktdp.construct_access_tile %xv[%me, %b, 0, 0] {
        access_tile_set = affine_set<(i, j, k, l) : (i >= 0, -i + 0 >= 0, j >= 0, -j + 0 >= 0, k >= 0, -k + 1 >= 0, l >= 0, -l + 63 >= 0)>,
        access_tile_order = affine_map<(i, j, k, l) -> (i, j, k, l)>
      } : memref<2x4x2x64xf32> -> !ktdp.access_tile<1x1x2x64xindex>
      %d7 = ktdp.load %t6 : <1x1x2x64xindex> -> tensor<1x1x2x64xf32>
      %v8 = tensor.splat %v5 : tensor<1x1x2x64xf32>
      %v9 = arith.mulf %d7, %v8 : tensor<1x1x2x64xf32>
      %t10 = ktdp.construct_access_tile %outv[%me, %b, 0, 0] {
        access_tile_set = affine_set<(i, j, k, l) : (i >= 0, -i + 0 >= 0, j >= 0, -j + 0 >= 0, k >= 0, -k + 1 >= 0, l >= 0, -l + 63 >= 0)>,
        access_tile_order = affine_map<(i, j, k, l) -> (i, j, k, l)>
      } : memref<2x4x2x64xf32> -> !ktdp.access_tile<1x1x2x64xindex>
      ktdp.store %v9, %t10 : tensor<1x1x2x64xf32>, <1x1x2x64xindex>
    }
    return
  }
}
