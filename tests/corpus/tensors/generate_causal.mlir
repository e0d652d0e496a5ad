// A position mask from tensor.generate: elements right of the diagonal become -inf.
module {
  func.func @generate_causal(%x: index, %out: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [64, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 63 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<64x64xf16>
    %t1 = ktdp.construct_access_tile %xv[%me * 16, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<64x64xf16> -> !ktdp.access_tile<16x64xindex>
    %d2 = ktdp.load %t1 : <16x64xindex> -> tensor<16x64xf16>
    %c3 = arith.constant 16 : index
    %c4 = arith.constant 0.0 : f16
    %c5 = arith.constant 0xFC00 : f16
    %v6 = arith.muli %me, %c3 : index
    %v7 = tensor.generate {
    ^bb0(%i: index, %j: index):
      %row = arith.addi %v6, %i : index
      %c = arith.cmpi ule, %j, %row : index
      %s = arith.select %c, %c4, %c5 : f16
      tensor.yield %s : f16
    } : tensor<16x64xf16>
    %v8 = arith.addf %d2, %v7 : tensor<16x64xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [64, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 63 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<64x64xf16>
    %t9 = ktdp.construct_access_tile %outv[%me * 16, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<64x64xf16> -> !ktdp.access_tile<16x64xindex>
    ktdp.store %v8, %t9 : tensor<16x64xf16>, <16x64xindex>
    return
  }
}
