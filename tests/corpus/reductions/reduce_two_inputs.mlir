// linalg.reduce of two inputs at once (sum and maximum) with an explicit body.
module {
  func.func @reduce_two_inputs(%x: index, %y: index, %sum: index, %max: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [32, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 31 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32x64xf32>
    %t1 = ktdp.construct_access_tile %xv[%me * 8, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<32x64xf32> -> !ktdp.access_tile<8x64xindex>
    %d2 = ktdp.load %t1 : <8x64xindex> -> tensor<8x64xf32>
    %yv = ktdp.construct_memory_view %y, sizes: [32, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 31 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32x64xf32>
    %t3 = ktdp.construct_access_tile %yv[%me * 8, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<32x64xf32> -> !ktdp.access_tile<8x64xindex>
    %d4 = ktdp.load %t3 : <8x64xindex> -> tensor<8x64xf32>
    %v5 = arith.constant dense<0.0> : tensor<8xf32>
    %v6 = arith.constant dense<-1.0e+30> : tensor<8xf32>
    %v7:2 = linalg.reduce ins(%d2, %d4 : tensor<8x64xf32>, tensor<8x64xf32>) outs(%v5, %v6 : tensor<8xf32>, tensor<8xf32>) dimensions = [1]
      (%a: f32, %b: f32, %o: f32, %q: f32) {
        %t = arith.addf %o, %a : f32
        %u = arith.maximumf %q, %b : f32
        linalg.yield %t, %u : f32, f32
      }
    %sumv = ktdp.construct_memory_view %sum, sizes: [32], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 31 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32xf32>
    %t8 = ktdp.construct_access_tile %sumv[%me * 8] {
      access_tile_set = affine_set<(i) : (i >= 0, -i + 7 >= 0)>,
      access_tile_order = affine_map<(i) -> (i)>
    } : memref<32xf32> -> !ktdp.access_tile<8xindex>
    ktdp.store %v7#0, %t8 : tensor<8xf32>, <8xindex>
    %maxv = ktdp.construct_memory_view %max, sizes: [32], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 31 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32xf32>
    %t9 = ktdp.construct_access_tile %maxv[%me * 8] {
      access_tile_set = affine_set<(i) : (i >= 0, -i + 7 >= 0)>,
      access_tile_order = affine_map<(i) -> (i)>
    } : memref<32xf32> -> !ktdp.access_tile<8xindex>
    ktdp.store %v7#1, %t9 : tensor<8xf32>, <8xindex>
    return
  }
}
