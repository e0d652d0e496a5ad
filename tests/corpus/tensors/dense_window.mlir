// A constant table of 64 values along the vector dimension (window coefficients).
module {
  func.func @dense_window(%x: index, %out: index) attributes {grid = [4]} {
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
    %v3 = arith.constant dense<[0.000000, 0.002485, 0.009914, 0.022214, 0.039262, 0.060889, 0.086881, 0.116978, 0.150882, 0.188255, 0.228727, 0.271895, 0.317329, 0.364580, 0.413176, 0.462635, 0.512465, 0.562172, 0.611260, 0.659243, 0.705644, 0.750000, 0.791872, 0.830843, 0.866526, 0.898566, 0.926645, 0.950484, 0.969846, 0.984539, 0.994415, 0.999378, 0.999378, 0.994415, 0.984539, 0.969846, 0.950484, 0.926645, 0.898566, 0.866526, 0.830843, 0.791872, 0.750000, 0.705644, 0.659243, 0.611260, 0.562172, 0.512465, 0.462635, 0.413176, 0.364580, 0.317329, 0.271895, 0.228727, 0.188255, 0.150882, 0.116978, 0.086881, 0.060889, 0.039262, 0.022214, 0.009914, 0.002485, 0.000000]> : tensor<64xf32>
    %v4 = tensor.empty() : tensor<8x64xf32>
    %v5 = linalg.broadcast ins(%v3 : tensor<64xf32>) outs(%v4 : tensor<8x64xf32>) dimensions = [0]
    %v6 = arith.mulf %d2, %v5 : tensor<8x64xf32>
    %outv = ktdp.construct_memory_view %out, sizes: [32, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 31 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32x64xf32>
    %t7 = ktdp.construct_access_tile %outv[%me * 8, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<32x64xf32> -> !ktdp.access_tile<8x64xindex>
    ktdp.store %v6, %t7 : tensor<8x64xf32>, <8x64xindex>
    return
  }
}
