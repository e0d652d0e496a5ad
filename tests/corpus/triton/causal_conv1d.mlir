// Depthwise causal convolution of width 3: three shifted reads of one row
module {
  func.func @causal_conv1d(%x_ptr: index, %w_ptr: index, %y_ptr: index) attributes {grid = [4]} {
    %c8 = arith.constant 8 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %pid = ktdp.get_compute_tile_id : index
    %c = arith.muli %pid, %c8 : index
    %x = ktdp.construct_memory_view %x_ptr, sizes: [32, 102], strides: [102, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 101 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<32x102xf32>
    %w = ktdp.construct_memory_view %w_ptr, sizes: [32, 3], strides: [3, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 2 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<32x3xf32>
    %y = ktdp.construct_memory_view %y_ptr, sizes: [32, 100], strides: [100, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 99 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<32x100xf32>
    %at54 = ktdp.construct_access_tile %x[%c, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 99 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<32x102xf32> -> !ktdp.access_tile<8x100xindex>
      %x0 = ktdp.load %at54 : !ktdp.access_tile<8x100xindex> -> tensor<8x100xf32>
    %at55 = ktdp.construct_access_tile %x[%c, %c1] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 99 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<32x102xf32> -> !ktdp.access_tile<8x100xindex>
      %x1 = ktdp.load %at55 : !ktdp.access_tile<8x100xindex> -> tensor<8x100xf32>
    %at56 = ktdp.construct_access_tile %x[%c, %c2] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 99 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<32x102xf32> -> !ktdp.access_tile<8x100xindex>
      %x2 = ktdp.load %at56 : !ktdp.access_tile<8x100xindex> -> tensor<8x100xf32>
    %at57 = ktdp.construct_access_tile %w[%c, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 2 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<32x3xf32> -> !ktdp.access_tile<8x3xindex>
      %wt = ktdp.load %at57 : !ktdp.access_tile<8x3xindex> -> tensor<8x3xf32>
    %w0 = tensor.extract_slice %wt[0, 0] [8, 1] [1, 1] : tensor<8x3xf32> to tensor<8xf32>
    %w1 = tensor.extract_slice %wt[0, 1] [8, 1] [1, 1] : tensor<8x3xf32> to tensor<8xf32>
    %w2 = tensor.extract_slice %wt[0, 2] [8, 1] [1, 1] : tensor<8x3xf32> to tensor<8xf32>
    %be58 = tensor.empty() : tensor<8x100xf32>
      %b0 = linalg.broadcast ins(%w0 : tensor<8xf32>) outs(%be58 : tensor<8x100xf32>) dimensions = [1]
    %be59 = tensor.empty() : tensor<8x100xf32>
      %b1 = linalg.broadcast ins(%w1 : tensor<8xf32>) outs(%be59 : tensor<8x100xf32>) dimensions = [1]
    %be60 = tensor.empty() : tensor<8x100xf32>
      %b2 = linalg.broadcast ins(%w2 : tensor<8xf32>) outs(%be60 : tensor<8x100xf32>) dimensions = [1]
    %p0 = arith.mulf %x0, %b0 : tensor<8x100xf32>
    %p1 = math.fma %x1, %b1, %p0 : tensor<8x100xf32>
    %p2 = math.fma %x2, %b2, %p1 : tensor<8x100xf32>
    %at61 = ktdp.construct_access_tile %y[%c, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 99 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<32x100xf32> -> !ktdp.access_tile<8x100xindex>
      ktdp.store %p2, %at61 : tensor<8x100xf32>, !ktdp.access_tile<8x100xindex>
    return
  }
}
