// Concatenation inside a loop over blocks.
module {
  func.func @concat_in_loop(%x: index, %out: index) attributes {grid = [2]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [2, 3, 4, 32], strides: [384, 128, 32, 1] {
      coordinate_set = affine_set<(i, j, k, l) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 2 >= 0, k >= 0, -k + 3 >= 0, l >= 0, -l + 31 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<2x3x4x32xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [2, 3, 4, 64], strides: [768, 256, 64, 1] {
      coordinate_set = affine_set<(i, j, k, l) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 2 >= 0, k >= 0, -k + 3 >= 0, l >= 0, -l + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<2x3x4x64xf16>
    %c1 = arith.constant 0 : index
    %c2 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    scf.for %b = %c1 to %c3 step %c2 {
      %t4 = ktdp.construct_access_tile %xv[%me, %b, 0, 0] {
        access_tile_set = affine_set<(i, j, k, l) : (i >= 0, -i + 0 >= 0, j >= 0, -j + 0 >= 0, k >= 0, -k + 3 >= 0, l >= 0, -l + 31 >= 0)>,
        access_tile_order = affine_map<(i, j, k, l) -> (i, j, k, l)>
      } : memref<2x3x4x32xf16> -> !ktdp.access_tile<1x1x4x32xindex>
      %d5 = ktdp.load %t4 : <1x1x4x32xindex> -> tensor<1x1x4x32xf16>
      %v6 = math.exp %d5 : tensor<1x1x4x32xf16>
      %v7 = tensor.concat dim(3) %d5, %v6 : (tensor<1x1x4x32xf16>, tensor<1x1x4x32xf16>) -> tensor<1x1x4x64xf16>
      %t8 = ktdp.construct_access_tile %outv[%me, %b, 0, 0] {
        access_tile_set = affine_set<(i, j, k, l) : (i >= 0, -i + 0 >= 0, j >= 0, -j + 0 >= 0, k >= 0, -k + 3 >= 0, l >= 0, -l + 63 >= 0)>,
        access_tile_order = affine_map<(i, j, k, l) -> (i, j, k, l)>
      } : memref<2x3x4x64xf16> -> !ktdp.access_tile<1x1x4x64xindex>
      ktdp.store %v7, %t8 : tensor<1x1x4x64xf16>, <1x1x4x64xindex>
    }
    return
  }
}
