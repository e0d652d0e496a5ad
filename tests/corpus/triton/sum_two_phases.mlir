// A sum over everything: partial sums, then one program adds them
module {
  func.func @sum_two_phases(%x_ptr: index, %part_ptr: index, %out_ptr: index) attributes {grid = [8]} {
    %c16 = arith.constant 16 : index
    %c0 = arith.constant 0 : index
    %z0 = arith.constant dense<0.000000e+00> : tensor<f32>
    %pid = ktdp.get_compute_tile_id : index
    %r = arith.muli %pid, %c16 : index
    %x = ktdp.construct_memory_view %x_ptr, sizes: [128, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 127 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<128x64xf32>
    %p = ktdp.construct_memory_view %part_ptr, sizes: [8], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 7 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<8xf32>
    %o = ktdp.construct_memory_view %out_ptr, sizes: [1], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<1xf32>
    %at62 = ktdp.construct_access_tile %x[%r, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<128x64xf32> -> !ktdp.access_tile<16x64xindex>
      %v = ktdp.load %at62 : !ktdp.access_tile<16x64xindex> -> tensor<16x64xf32>
    %s = linalg.reduce { arith.addf } ins(%v : tensor<16x64xf32>) outs(%z0 : tensor<f32>) dimensions = [0, 1]
    %s1 = tensor.expand_shape %s [] output_shape [1] : tensor<f32> into tensor<1xf32>
    %at63 = ktdp.construct_access_tile %p[%pid] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<8xf32> -> !ktdp.access_tile<1xindex>
      ktdp.store %s1, %at63 : tensor<1xf32>, !ktdp.access_tile<1xindex>
    %first = arith.cmpi eq, %pid, %c0 : index
    scf.if %first {
    %at64 = ktdp.construct_access_tile %p[0] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 7 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<8xf32> -> !ktdp.access_tile<8xindex>
      %q = ktdp.load %at64 : !ktdp.access_tile<8xindex> -> tensor<8xf32>
    %t = linalg.reduce { arith.addf } ins(%q : tensor<8xf32>) outs(%z0 : tensor<f32>) dimensions = [0]
    %t1 = tensor.expand_shape %t [] output_shape [1] : tensor<f32> into tensor<1xf32>
    %at65 = ktdp.construct_access_tile %o[0] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<1xf32> -> !ktdp.access_tile<1xindex>
      ktdp.store %t1, %at65 : tensor<1xf32>, !ktdp.access_tile<1xindex>
    }
    return
  }
}
