// A sum over the rows that a list of tokens names, a block of tokens an iteration; their number is known at launch, and
// the last block overhangs the list.
module {
  func.func @tokens_blocks_tail(%n: !ktdp.runtime_arg<index, granularity=1, upperbound=30>, %table: index, %ids: index, %out: index) attributes {grid = [2]} {
    %me = ktdp.get_compute_tile_id : index
    %count = ktdp.runtime_arg_extract value from %n : <index, granularity=1, upperbound=30> -> index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %blocks = arith.ceildivsi %count, %c8 : index
    %tv = ktdp.construct_memory_view %table, sizes: [50, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 49 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<50x64xf32>
    %iv = ktdp.construct_memory_view %ids, sizes: [%count], strides: [1] {
      coordinate_set = affine_set<(i)[s0] : (i >= 0, -i + s0 - 1 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<?xi32>
    %ov = ktdp.construct_memory_view %out, sizes: [64], strides: [1] {
      coordinate_set = affine_set<(j) : (j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<64xf32>
    %half = arith.constant 32 : index
    %column = arith.muli %me, %half : index
    %zero = arith.constant dense<0.0> : tensor<32xf32>
    %sum = scf.for %k = %c0 to %blocks step %c1 iter_args(%acc = %zero) -> (tensor<32xf32>) {
      %at = arith.muli %k, %c8 : index
      %rows = ktdp.construct_indirect_access_tile intermediate_variables(%i, %j) %tv[ind(%iv[%at + %i]), (%column + %j)] {
        variables_space_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 31 >= 0)>,
        variables_space_order = affine_map<(i, j) -> (i, j)>
      } : memref<50x64xf32>, memref<?xi32> -> !ktdp.access_tile<8x32xindex>
      %x = ktdp.load %rows : <8x32xindex> -> tensor<8x32xf32>
      %part = linalg.reduce { arith.addf } ins(%x : tensor<8x32xf32>) outs(%zero : tensor<32xf32>) dimensions = [0]
      %next = arith.addf %acc, %part : tensor<32xf32>
      scf.yield %next : tensor<32xf32>
    }
    %ot = ktdp.construct_access_tile %ov[%column] {
      access_tile_set = affine_set<(j) : (j >= 0, -j + 31 >= 0)>,
      access_tile_order = affine_map<(j) -> (j)>
    } : memref<64xf32> -> !ktdp.access_tile<32xindex>
    ktdp.store %sum, %ot : tensor<32xf32>, <32xindex>
    return
  }
}
