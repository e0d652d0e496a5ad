module {
  func.func @masked_mean(%x_ptr: index, %m_ptr: index, %y_ptr: index) attributes {grid = [3]} {
    %pid = ktdp.get_compute_tile_id : index
    %z = arith.constant dense<0.0> : tensor<1x64xf32>
    %z1 = arith.constant dense<0.0> : tensor<1xf32>
    %one = arith.constant dense<1.0> : tensor<1xf32>
    %x = ktdp.construct_memory_view %x_ptr, sizes: [3, 9, 64], strides: [576, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 8 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<3x9x64xf16>
    %m = ktdp.construct_memory_view %m_ptr, sizes: [3, 9], strides: [9, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 8 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<3x9xi64>
    %y = ktdp.construct_memory_view %y_ptr, sizes: [3, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<3x64xf32>
    %at50 = ktdp.construct_access_tile %x[%pid, 0, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 8 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<3x9x64xf16> -> !ktdp.access_tile<1x9x64xindex>
      %a = ktdp.load %at50 : !ktdp.access_tile<1x9x64xindex> -> tensor<1x9x64xf16>
    %at51 = ktdp.construct_access_tile %m[%pid, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 8 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<3x9xi64> -> !ktdp.access_tile<1x9xindex>
      %mi = ktdp.load %at51 : !ktdp.access_tile<1x9xindex> -> tensor<1x9xi64>
    %mf = arith.sitofp %mi : tensor<1x9xi64> to tensor<1x9xf32>
    %af = arith.extf %a : tensor<1x9x64xf16> to tensor<1x9x64xf32>
    %be52 = tensor.empty() : tensor<1x9x64xf32>
      %mb = linalg.broadcast ins(%mf : tensor<1x9xf32>) outs(%be52 : tensor<1x9x64xf32>) dimensions = [2]
    %p = arith.mulf %af, %mb : tensor<1x9x64xf32>
    %s = linalg.reduce { arith.addf } ins(%p : tensor<1x9x64xf32>) outs(%z : tensor<1x64xf32>) dimensions = [1]
    %c = linalg.reduce { arith.addf } ins(%mf : tensor<1x9xf32>) outs(%z1 : tensor<1xf32>) dimensions = [1]
    %c1 = arith.maximumf %c, %one : tensor<1xf32>
    %be53 = tensor.empty() : tensor<1x64xf32>
      %cb = linalg.broadcast ins(%c1 : tensor<1xf32>) outs(%be53 : tensor<1x64xf32>) dimensions = [1]
    %o = arith.divf %s, %cb : tensor<1x64xf32>
    %at54 = ktdp.construct_access_tile %y[%pid, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<3x64xf32> -> !ktdp.access_tile<1x64xindex>
      ktdp.store %o, %at54 : tensor<1x64xf32>, !ktdp.access_tile<1x64xindex>
    return
  }
}
