// Batch norm statistics: sums over rows of a loop of blocks are not carried; every block stores its own.
module {
  func.func @block_statistics(%x: index, %out: index) attributes {grid = [2]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [2, 3, 8, 64], strides: [1536, 512, 64, 1] {
      coordinate_set = affine_set<(i, j, k, l) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 2 >= 0, k >= 0, -k + 7 >= 0, l >= 0, -l + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<2x3x8x64xf32>
    %outv = ktdp.construct_memory_view %out, sizes: [2, 3, 64], strides: [192, 64, 1] {
      coordinate_set = affine_set<(i, j, k) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 2 >= 0, k >= 0, -k + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<2x3x64xf32>
    %c1 = arith.constant 0 : index
    %c2 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    scf.for %b = %c1 to %c3 step %c2 {
      %t4 = ktdp.construct_access_tile %xv[%me, %b, 0, 0] {
        access_tile_set = affine_set<(i, j, k, l) : (i >= 0, -i + 0 >= 0, j >= 0, -j + 0 >= 0, k >= 0, -k + 7 >= 0, l >= 0, -l + 63 >= 0)>,
        access_tile_order = affine_map<(i, j, k, l) -> (i, j, k, l)>
      } : memref<2x3x8x64xf32> -> !ktdp.access_tile<1x1x8x64xindex>
      %d5 = ktdp.load %t4 : <1x1x8x64xindex> -> tensor<1x1x8x64xf32>
      %v6 = arith.constant dense<0.0> : tensor<1x1x64xf32>
      %v7 = linalg.reduce { arith.addf } ins(%d5 : tensor<1x1x8x64xf32>) outs(%v6 : tensor<1x1x64xf32>) dimensions = [2]
      %t8 = ktdp.construct_access_tile %outv[%me, %b, 0] {
        access_tile_set = affine_set<(i, j, k) : (i >= 0, -i + 0 >= 0, j >= 0, -j + 0 >= 0, k >= 0, -k + 63 >= 0)>,
        access_tile_order = affine_map<(i, j, k) -> (i, j, k)>
      } : memref<2x3x64xf32> -> !ktdp.access_tile<1x1x64xindex>
      ktdp.store %v7, %t8 : tensor<1x1x64xf32>, <1x1x64xindex>
    }
    return
  }
}
