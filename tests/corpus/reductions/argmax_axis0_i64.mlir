// The first row of the largest value of each column
module {
  func.func @argmax_axis0_i64(%x: index, %y: index) attributes {grid = [2]} {
    %pid1 = ktdp.get_compute_tile_id : index
    %c2 = arith.constant 33 : index
    %3 = arith.muli %pid1, %c2 : index
    %v4 = ktdp.construct_memory_view %x, sizes: [19, 66], strides: [66, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 18 >= 0, d1 >= 0, -d1 + 65 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<19x66xf16>
    %v5 = ktdp.construct_memory_view %y, sizes: [66], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 65 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<66xi64>
    %t6 = ktdp.construct_access_tile %v4[0, %3] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 18 >= 0, d1 >= 0, -d1 + 32 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<19x66xf16> -> !ktdp.access_tile<19x33xindex>
    %7 = ktdp.load %t6 : !ktdp.access_tile<19x33xindex> -> tensor<19x33xf16>
    %cst8 = arith.constant dense<0xFC00> : tensor<33xf16>
    %r9 = linalg.reduce { arith.maximumf } ins(%7 : tensor<19x33xf16>) outs(%cst8 : tensor<33xf16>) dimensions = [0] 
    %e10 = tensor.empty() : tensor<19x33xf16>
    %b11 = linalg.broadcast ins(%r9 : tensor<33xf16>) outs(%e10 : tensor<19x33xf16>) dimensions = [0] 
    %12 = arith.cmpf oeq, %7, %b11 : tensor<19x33xf16>
    %e13 = tensor.empty() : tensor<19x33xi64>
    %io14 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%e13 : tensor<19x33xi64>) {
    ^bb0(%x15: i64):
      %x16 = linalg.index 0 : index
      %x17 = arith.index_cast %x16 : index to i64
      linalg.yield %x17 : i64
    } -> tensor<19x33xi64>
    %cst18 = arith.constant dense<100> : tensor<19x33xi64>
    %19 = arith.select %12, %io14, %cst18 : tensor<19x33xi1>, tensor<19x33xi64>
    %cst20 = arith.constant dense<9223372036854775807> : tensor<33xi64>
    %r21 = linalg.reduce { arith.minsi } ins(%19 : tensor<19x33xi64>) outs(%cst20 : tensor<33xi64>) dimensions = [0] 
    %t22 = ktdp.construct_access_tile %v5[%3] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 32 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<66xi64> -> !ktdp.access_tile<33xindex>
    ktdp.store %r21, %t22 : tensor<33xi64>, !ktdp.access_tile<33xindex>
    return
  }
}
