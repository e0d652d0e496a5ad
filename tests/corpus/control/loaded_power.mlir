// A number of repetitions is loaded, and limited by a number; nothing moves with the loop
module {
  func.func @loaded_power(%n: index, %x: index, %y: index) attributes {grid = [2]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %pid = ktdp.get_compute_tile_id : index
    %five = arith.constant 5 : i32
    %nv = ktdp.construct_memory_view %n, sizes: [2], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2xi32>
    %xv = ktdp.construct_memory_view %x, sizes: [2, 100], strides: [100, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 99 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x100xf16>
    %yv = ktdp.construct_memory_view %y, sizes: [2, 100], strides: [100, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 99 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x100xf16>
    %n0_v_t = ktdp.construct_access_tile %nv[%pid] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<2xi32> -> !ktdp.access_tile<1xindex>
    %n0_v = ktdp.load %n0_v_t : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %n0_i = tensor.extract %n0_v[%c0] : tensor<1xi32>
    %n1 = arith.minsi %n0_i, %five : i32
    %m = arith.index_cast %n1 : i32 to index
    %x0_t = ktdp.construct_access_tile %xv[%pid, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 99 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<2x100xf16> -> !ktdp.access_tile<1x100xindex>
    %x0 = ktdp.load %x0_t : !ktdp.access_tile<1x100xindex> -> tensor<1x100xf16>
    %half = arith.constant dense<5.000000e-01> : tensor<1x100xf16>
    %r = scf.for %i = %c0 to %m step %c1 iter_args(%v = %x0) -> (tensor<1x100xf16>) {
      %a = arith.mulf %v, %half : tensor<1x100xf16>
      %b = math.tanh %a : tensor<1x100xf16>
      scf.yield %b : tensor<1x100xf16>
    }
    %at_3 = ktdp.construct_access_tile %yv[%pid, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 99 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<2x100xf16> -> !ktdp.access_tile<1x100xindex>
    ktdp.store %r, %at_3 : tensor<1x100xf16>, !ktdp.access_tile<1x100xindex>
    return
  }
}
