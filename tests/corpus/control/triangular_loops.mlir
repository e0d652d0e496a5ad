// Triangular loop nest: the inner trip count depends on the outer variable.
module {
  func.func @triangular_loops(%x: index, %out: index) attributes {grid = [2]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [2, 4, 4, 64], strides: [1024, 256, 64, 1] {
      coordinate_set = affine_set<(i, j, k, l) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 3 >= 0, k >= 0, -k + 3 >= 0, l >= 0, -l + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<2x4x4x64xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [2, 4, 4, 64], strides: [1024, 256, 64, 1] {
      coordinate_set = affine_set<(i, j, k, l) : (i >= 0, -i + 1 >= 0, j >= 0, -j + 3 >= 0, k >= 0, -k + 3 >= 0, l >= 0, -l + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<2x4x4x64xf16>
    %c1 = arith.constant 0 : index
    %c2 = arith.constant 1 : index
    %c3 = arith.constant 4 : index
    scf.for %a = %c1 to %c3 step %c2 {
      %v4 = arith.addi %a, %c2 : index
      scf.for %b = %c1 to %v4 step %c2 {
        %t5 = ktdp.construct_access_tile %xv[%me, %a, %b, 0] {
          access_tile_set = affine_set<(i, j, k, l) : (i >= 0, -i + 0 >= 0, j >= 0, -j + 0 >= 0, k >= 0, -k + 0 >= 0, l >= 0, -l + 63 >= 0)>,
          access_tile_order = affine_map<(i, j, k, l) -> (i, j, k, l)>
        } : memref<2x4x4x64xf16> -> !ktdp.access_tile<1x1x1x64xindex>
        %d6 = ktdp.load %t5 : <1x1x1x64xindex> -> tensor<1x1x1x64xf16>
        %v7 = math.exp %d6 : tensor<1x1x1x64xf16>
        %t8 = ktdp.construct_access_tile %outv[%me, %a, %b, 0] {
          access_tile_set = affine_set<(i, j, k, l) : (i >= 0, -i + 0 >= 0, j >= 0, -j + 0 >= 0, k >= 0, -k + 0 >= 0, l >= 0, -l + 63 >= 0)>,
          access_tile_order = affine_map<(i, j, k, l) -> (i, j, k, l)>
        } : memref<2x4x4x64xf16> -> !ktdp.access_tile<1x1x1x64xindex>
        ktdp.store %v7, %t8 : tensor<1x1x1x64xf16>, <1x1x1x64xindex>
      }
    }
    return
  }
}
