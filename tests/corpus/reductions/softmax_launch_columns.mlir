// Row softmax over a number of columns that an argument gives, at most 300: rows are as large as they can be in the
// scratchpad, and beyond the extent a reduction takes its neutral element.
module {
  func.func @softmax_launch_columns(%n: !ktdp.runtime_arg<index, upperbound=300>, %x: index, %out: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %c = ktdp.runtime_arg_extract value from %n : <index, upperbound=300> -> index
    %xv = ktdp.construct_memory_view %x, sizes: [16, %c], strides: [300, 1] {
      coordinate_set = affine_set<(i, j)[s0] : (i >= 0, -i + 15 >= 0, j >= 0, -j + s0 - 1 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<16x?xf16>
    %outv = ktdp.construct_memory_view %out, sizes: [16, %c], strides: [300, 1] {
      coordinate_set = affine_set<(i, j)[s0] : (i >= 0, -i + 15 >= 0, j >= 0, -j + s0 - 1 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<16x?xf16>
    %xt = ktdp.construct_access_tile %xv[%me * 4, 0] symbols(%c) {
      access_tile_set = affine_set<(i, j)[s0] : (i >= 0, -i + 3 >= 0, j >= 0, -j + s0 - 1 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<16x?xf16> -> !ktdp.access_tile<4x?xindex>
    %xd = ktdp.load %xt : <4x?xindex> -> tensor<4x?xf16>
    %xw = arith.extf %xd : tensor<4x?xf16> to tensor<4x?xf32>
    %ninf = arith.constant dense<0xFF800000> : tensor<4xf32>
    %m = linalg.reduce { arith.maximumf } ins(%xw : tensor<4x?xf32>) outs(%ninf : tensor<4xf32>) dimensions = [1]
    %mbe = tensor.empty(%c) : tensor<4x?xf32>
    %mb = linalg.broadcast ins(%m : tensor<4xf32>) outs(%mbe : tensor<4x?xf32>) dimensions = [1]
    %d = arith.subf %xw, %mb : tensor<4x?xf32>
    %e = math.exp %d : tensor<4x?xf32>
    %z = arith.constant dense<0.000000e+00> : tensor<4xf32>
    %s = linalg.reduce { arith.addf } ins(%e : tensor<4x?xf32>) outs(%z : tensor<4xf32>) dimensions = [1]
    %sbe = tensor.empty(%c) : tensor<4x?xf32>
    %sb = linalg.broadcast ins(%s : tensor<4xf32>) outs(%sbe : tensor<4x?xf32>) dimensions = [1]
    %q = arith.divf %e, %sb : tensor<4x?xf32>
    %r = arith.truncf %q : tensor<4x?xf32> to tensor<4x?xf16>
    %ot = ktdp.construct_access_tile %outv[%me * 4, 0] symbols(%c) {
      access_tile_set = affine_set<(i, j)[s0] : (i >= 0, -i + 3 >= 0, j >= 0, -j + s0 - 1 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<16x?xf16> -> !ktdp.access_tile<4x?xindex>
    ktdp.store %r, %ot : tensor<4x?xf16>, <4x?xindex>
    return
  }
}
