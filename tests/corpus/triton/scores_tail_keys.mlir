// Queries times keys, a block of 16 keys at a time: 45 of them, loaded transposed, and the last block hangs over their
// end, where the product is zero. All 48 columns of scores are stored.
module {
  func.func @scores_tail_keys(%q: index, %keys: index, %out: index) attributes {grid = [1]} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c48 = arith.constant 48 : index
    %n = arith.constant 45 : index
    %qv = ktdp.construct_memory_view %q, sizes: [16, 32], strides: [32, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 31 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<16x32xf16>
    %kv = ktdp.construct_memory_view %keys, sizes: [%n, 32], strides: [32, 1] {
      coordinate_set = affine_set<(i, j)[s0] : (i >= 0, -i + s0 - 1 >= 0, j >= 0, -j + 31 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<?x32xf16>
    %ov = ktdp.construct_memory_view %out, sizes: [16, 48], strides: [48, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 47 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<16x48xf32>
    %qt = ktdp.construct_access_tile %qv[0, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 31 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<16x32xf16> -> !ktdp.access_tile<16x32xindex>
    %a = ktdp.load %qt : <16x32xindex> -> tensor<16x32xf16>
    %zero = arith.constant dense<0.0> : tensor<16x16xf32>
    scf.for %at = %c0 to %c48 step %c16 {
      %kt = ktdp.construct_access_tile %kv[%at, 0] {
        access_tile_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 31 >= 0)>,
        access_tile_order = affine_map<(i, j) -> (j, i)>
      } : memref<?x32xf16> -> !ktdp.access_tile<32x16xindex>
      %b = ktdp.load %kt : <32x16xindex> -> tensor<32x16xf16>
      %s = linalg.matmul ins(%a, %b : tensor<16x32xf16>, tensor<32x16xf16>) outs(%zero : tensor<16x16xf32>) -> tensor<16x16xf32>
      %ot = ktdp.construct_access_tile %ov[0, %at] {
        access_tile_set = affine_set<(i, j) : (i >= 0, -i + 15 >= 0, j >= 0, -j + 15 >= 0)>,
        access_tile_order = affine_map<(i, j) -> (i, j)>
      } : memref<16x48xf32> -> !ktdp.access_tile<16x16xindex>
      ktdp.store %s, %ot : tensor<16x16xf32>, <16x16xindex>
    }
    return
  }
}
