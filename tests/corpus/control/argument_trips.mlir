// Loop bound from a scalar argument (number of blocks).
module {
  func.func @argument_trips(%n: !ktdp.runtime_arg<index, upperbound=5>, %x: index, %out: index) attributes {grid = [2]} {
    %me = ktdp.get_compute_tile_id : index
    %v1 = ktdp.runtime_arg_extract value from %n : <index, upperbound=5> -> index
    %xv = ktdp.construct_memory_view %x, sizes: [2, 5, 4, 64], strides: [1280, 256, 64, 1] {
      coordinate_set = affine_set<(i, j, k, l) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 4 >= 0, k >= 0, -k + 3 >= 0, l >= 0, -l + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<2x5x4x64xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [2, 5, 4, 64], strides: [1280, 256, 64, 1] {
      coordinate_set = affine_set<(i, j, k, l) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 4 >= 0, k >= 0, -k + 3 >= 0, l >= 0, -l + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<2x5x4x64xf16>
    %c2 = arith.constant 0 : index
    %c3 = arith.constant 1 : index
    scf.for %b = %c2 to %v1 step %c3 {
      %t4 = ktdp.construct_access_tile %xv[%me, %b, 0, 0] {
        access_tile_set = affine_set<(i, j, k, l) : (i >= 0, -i + 0 >= 0, j >= 0, -j + 0 >= 0, k >= 0, -k + 3 >= 0, l >= 0, -l + 63 >= 0)>,
        access_tile_order = affine_map<(i, j, k, l) -> (i, j, k, l)>
      } : memref<2x5x4x64xf16> -> !ktdp.access_tile<1x1x4x64xindex>
      %d5 = ktdp.load %t4 : <1x1x4x64xindex> -> tensor<1x1x4x64xf16>
      %v6 = math.exp %d5 : tensor<1x1x4x64xf16>
      %t7 = ktdp.construct_access_tile %outv[%me, %b, 0, 0] {
        access_tile_set = affine_set<(i, j, k, l) : (i >= 0, -i + 0 >= 0, j >= 0, -j + 0 >= 0, k >= 0, -k + 3 >= 0, l >= 0, -l + 63 >= 0)>,
        access_tile_order = affine_map<(i, j, k, l) -> (i, j, k, l)>
      } : memref<2x5x4x64xf16> -> !ktdp.access_tile<1x1x4x64xindex>
      ktdp.store %v6, %t7 : tensor<1x1x4x64xf16>, <1x1x4x64xindex>
    }
    return
  }
}
