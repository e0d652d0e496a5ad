// Layer norm as in the Triton tutorial: three loops over column blocks, accumulators carried as tensors
module {
  func.func @layernorm_blocks(%x_ptr: index, %y_ptr: index, %w_ptr: index, %b_ptr: index, %mean_ptr: index, %rstd_ptr: index) attributes {grid = [16]} {
    %c0 = arith.constant 0 : i32
    %c128 = arith.constant 128 : i32
    %c512 = arith.constant 512 : i32
    %zero = arith.constant dense<0.000000e+00> : tensor<1x128xf32>
    %z1 = arith.constant dense<0.000000e+00> : tensor<1xf32>
    %n = arith.constant dense<5.120000e+02> : tensor<1xf32>
    %eps = arith.constant dense<9.99999974E-6> : tensor<1xf32>
    %one = arith.constant dense<1.000000e+00> : tensor<1xf32>
    %pid = ktdp.get_compute_tile_id : index
    %x = ktdp.construct_memory_view %x_ptr, sizes: [16, 512], strides: [512, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 511 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<16x512xf16>
    %y = ktdp.construct_memory_view %y_ptr, sizes: [16, 512], strides: [512, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 511 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<16x512xf16>
    %w = ktdp.construct_memory_view %w_ptr, sizes: [512], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 511 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<512xf16>
    %b = ktdp.construct_memory_view %b_ptr, sizes: [512], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 511 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<512xf16>
    %mv = ktdp.construct_memory_view %mean_ptr, sizes: [16], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 15 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<16xf32>
    %rv = ktdp.construct_memory_view %rstd_ptr, sizes: [16], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 15 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<16xf32>
    
    %sum = scf.for %sumk = %c0 to %c512 step %c128 iter_args(%suma = %zero) -> (tensor<1x128xf32>) : i32 {
    %sumi = arith.index_cast %sumk : i32 to index
    %at4 = ktdp.construct_access_tile %x[%pid, %sumi] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 127 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<16x512xf16> -> !ktdp.access_tile<1x128xindex>
      %a = ktdp.load %at4 : !ktdp.access_tile<1x128xindex> -> tensor<1x128xf16>
    %af = arith.extf %a : tensor<1x128xf16> to tensor<1x128xf32>
    %sumn = arith.addf %suma, %af : tensor<1x128xf32>
    scf.yield %sumn : tensor<1x128xf32>
    }
    %tot = linalg.reduce { arith.addf } ins(%sum : tensor<1x128xf32>) outs(%z1 : tensor<1xf32>) dimensions = [1]
    %mean = arith.divf %tot, %n : tensor<1xf32>
    %be5 = tensor.empty() : tensor<1x128xf32>
      %meanb = linalg.broadcast ins(%mean : tensor<1xf32>) outs(%be5 : tensor<1x128xf32>) dimensions = [1]
    
    %var = scf.for %vark = %c0 to %c512 step %c128 iter_args(%vara = %zero) -> (tensor<1x128xf32>) : i32 {
    %vari = arith.index_cast %vark : i32 to index
    %at6 = ktdp.construct_access_tile %x[%pid, %vari] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 127 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<16x512xf16> -> !ktdp.access_tile<1x128xindex>
      %a2 = ktdp.load %at6 : !ktdp.access_tile<1x128xindex> -> tensor<1x128xf16>
    %af2 = arith.extf %a2 : tensor<1x128xf16> to tensor<1x128xf32>
    %d2 = arith.subf %af2, %meanb : tensor<1x128xf32>
    %q2 = arith.mulf %d2, %d2 : tensor<1x128xf32>
    %varn = arith.addf %vara, %q2 : tensor<1x128xf32>
    scf.yield %varn : tensor<1x128xf32>
    }
    %tv = linalg.reduce { arith.addf } ins(%var : tensor<1x128xf32>) outs(%z1 : tensor<1xf32>) dimensions = [1]
    %vv = arith.divf %tv, %n : tensor<1xf32>
    %ve = arith.addf %vv, %eps : tensor<1xf32>
    %sq = math.sqrt %ve : tensor<1xf32>
    %rstd = arith.divf %one, %sq : tensor<1xf32>
    %at7 = ktdp.construct_access_tile %mv[%pid] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<16xf32> -> !ktdp.access_tile<1xindex>
      ktdp.store %mean, %at7 : tensor<1xf32>, !ktdp.access_tile<1xindex>
    %at8 = ktdp.construct_access_tile %rv[%pid] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<16xf32> -> !ktdp.access_tile<1xindex>
      ktdp.store %rstd, %at8 : tensor<1xf32>, !ktdp.access_tile<1xindex>
    %be9 = tensor.empty() : tensor<1x128xf32>
      %rb = linalg.broadcast ins(%rstd : tensor<1xf32>) outs(%be9 : tensor<1x128xf32>) dimensions = [1]
    scf.for %k = %c0 to %c512 step %c128 : i32 {
    %ki = arith.index_cast %k : i32 to index
    %at10 = ktdp.construct_access_tile %x[%pid, %ki] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 127 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<16x512xf16> -> !ktdp.access_tile<1x128xindex>
      %a3 = ktdp.load %at10 : !ktdp.access_tile<1x128xindex> -> tensor<1x128xf16>
    %at11 = ktdp.construct_access_tile %w[%ki] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 127 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<512xf16> -> !ktdp.access_tile<128xindex>
      %w3 = ktdp.load %at11 : !ktdp.access_tile<128xindex> -> tensor<128xf16>
    %at12 = ktdp.construct_access_tile %b[%ki] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 127 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<512xf16> -> !ktdp.access_tile<128xindex>
      %b3 = ktdp.load %at12 : !ktdp.access_tile<128xindex> -> tensor<128xf16>
    %af3 = arith.extf %a3 : tensor<1x128xf16> to tensor<1x128xf32>
    %wf3 = arith.extf %w3 : tensor<128xf16> to tensor<128xf32>
    %bf3 = arith.extf %b3 : tensor<128xf16> to tensor<128xf32>
    %w1 = tensor.expand_shape %wf3 [[0, 1]] output_shape [1, 128] : tensor<128xf32> into tensor<1x128xf32>
    %b1 = tensor.expand_shape %bf3 [[0, 1]] output_shape [1, 128] : tensor<128xf32> into tensor<1x128xf32>
    %d3 = arith.subf %af3, %meanb : tensor<1x128xf32>
    %x3 = arith.mulf %d3, %rb : tensor<1x128xf32>
    %y3 = arith.mulf %x3, %w1 : tensor<1x128xf32>
    %z3 = arith.addf %y3, %b1 : tensor<1x128xf32>
    %h3 = arith.truncf %z3 : tensor<1x128xf32> to tensor<1x128xf16>
    %at13 = ktdp.construct_access_tile %y[%pid, %ki] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 127 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<16x512xf16> -> !ktdp.access_tile<1x128xindex>
      ktdp.store %h3, %at13 : tensor<1x128xf16>, !ktdp.access_tile<1x128xindex>
    }
    return
  }
}
