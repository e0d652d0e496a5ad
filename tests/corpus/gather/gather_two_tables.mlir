// Two indirect dimensions: out[i, :] = x[a[i], b[i], :].
module {
  func.func @gather_two_tables(%x: index, %a: index, %b: index, %out: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [6, 7, 64], strides: [448, 64, 1] {
      coordinate_set = affine_set<(i, j, k) : (i >= 0, -i + 5 >= 0, j >= 0, -j + 6 >= 0, k >= 0, -k + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<6x7x64xf16>
    %av = ktdp.construct_memory_view %a, sizes: [32], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 31 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32xi32>
    %bv = ktdp.construct_memory_view %b, sizes: [32], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 31 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32xi32>
    %c1 = arith.constant 8 : index
    %v2 = arith.muli %me, %c1 : index
    %t3 = ktdp.construct_indirect_access_tile intermediate_variables(%r, %c) %xv[ind(%av[%v2 + %r]), ind(%bv[%v2 + %r]), (%c)] {
      variables_space_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      variables_space_order = affine_map<(i, j) -> (i, j)>
    } : memref<6x7x64xf16>, memref<32xi32>, memref<32xi32> -> !ktdp.access_tile<8x64xindex>
    %d4 = ktdp.load %t3 : <8x64xindex> -> tensor<8x64xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [32, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 31 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32x64xf16>
    %t5 = ktdp.construct_access_tile %outv[%me * 8, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<32x64xf16> -> !ktdp.access_tile<8x64xindex>
    ktdp.store %d4, %t5 : tensor<8x64xf16>, <8x64xindex>
    return
  }
}
