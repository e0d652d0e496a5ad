// K is split over four tiles; all get the sum of their products, the first one stores it.
module {
  func.func @k_split_all(%a: index, %b: index, %y: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %av = ktdp.construct_memory_view %a, sizes: [16, 64], strides: [64, 1] {
      coordinate_set = affine_set<(a, b) : (a - 0 >= 0, -a + 15 >= 0, b - 0 >= 0, -b + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<16x64xf16>
    %bv = ktdp.construct_memory_view %b, sizes: [64, 64], strides: [64, 1] {
      coordinate_set = affine_set<(a, b) : (a - 0 >= 0, -a + 63 >= 0, b - 0 >= 0, -b + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<64x64xf16>
    %at = ktdp.construct_access_tile %av[0, %me * 16] {access_tile_set = affine_set<(a, b) : (a - 0 >= 0, -a + 15 >= 0, b - 0 >= 0, -b + 15 >= 0)>, access_tile_order = affine_map<(a, b) -> (a, b)>}
      : memref<16x64xf16> -> !ktdp.access_tile<16x16xindex>
    %x = ktdp.load %at : <16x16xindex> -> tensor<16x16xf16>
    %bt = ktdp.construct_access_tile %bv[%me * 16, 0] {access_tile_set = affine_set<(a, b) : (a - 0 >= 0, -a + 15 >= 0, b - 0 >= 0, -b + 63 >= 0)>, access_tile_order = affine_map<(a, b) -> (a, b)>}
      : memref<64x64xf16> -> !ktdp.access_tile<16x64xindex>
    %w = ktdp.load %bt : <16x64xindex> -> tensor<16x64xf16>
    %zero = arith.constant dense<0.0> : tensor<16x64xf32>
    %part = linalg.matmul ins(%x, %w : tensor<16x16xf16>, tensor<16x64xf16>) outs(%zero : tensor<16x64xf32>) -> tensor<16x64xf32>
    %f = ktdp.inter_tile_produce producer_tiles_per_group = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)> -> <(tensor<16x64xf32>), groups = affine_set<(g) : (g == 0)>> {
    ^bb0(%gid: index):
      ktdp.yield_partial %part : tensor<16x64xf32>
    }
    %s = ktdp.inter_tile_reduce(%f) consumer_tiles_per_group = affine_set<(i)[g] : (i >= 0, -i + 3 >= 0)>, identity(%zero : tensor<16x64xf32>) : <(tensor<16x64xf32>), groups = affine_set<(g) : (g == 0)>> -> tensor<16x64xf32> {
    ^bb0(%p: tensor<16x64xf32>, %q: tensor<16x64xf32>):
      %t = arith.addf %p, %q : tensor<16x64xf32>
      ktdp.yield_reduced %t : tensor<16x64xf32>
    }
    %c0 = arith.constant 0 : index
    %first = arith.cmpi eq, %me, %c0 : index
    scf.if %first {
      %h = arith.truncf %s : tensor<16x64xf32> to tensor<16x64xf16>
    %yv = ktdp.construct_memory_view %y, sizes: [16, 64], strides: [64, 1] {
      coordinate_set = affine_set<(a, b) : (a - 0 >= 0, -a + 15 >= 0, b - 0 >= 0, -b + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<16x64xf16>
    %yt = ktdp.construct_access_tile %yv[0, 0] {access_tile_set = affine_set<(a, b) : (a - 0 >= 0, -a + 15 >= 0, b - 0 >= 0, -b + 63 >= 0)>, access_tile_order = affine_map<(a, b) -> (a, b)>}
      : memref<16x64xf16> -> !ktdp.access_tile<16x64xindex>
    ktdp.store %h, %yt : tensor<16x64xf16>, <16x64xindex>
    }
    return
  }
}
