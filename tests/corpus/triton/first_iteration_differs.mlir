module {
  func.func @first_iteration_differs(%x_ptr: index, %y_ptr: index) attributes {grid = [2]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %c8 = arith.constant 8 : index
    %pid = ktdp.get_compute_tile_id : index
    %r = arith.muli %pid, %c8 : index
    %x = ktdp.construct_memory_view %x_ptr, sizes: [5, 16, 48], strides: [768, 48, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 4 >= 0, d1 >= 0, -d1 + 15 >= 0, d2 >= 0, -d2 + 47 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<5x16x48xf32>
    %y = ktdp.construct_memory_view %y_ptr, sizes: [5, 16, 48], strides: [768, 48, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 4 >= 0, d1 >= 0, -d1 + 15 >= 0, d2 >= 0, -d2 + 47 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<5x16x48xf32>
    scf.for %t = %c0 to %c5 step %c1 {
    %fst = arith.cmpi eq, %t, %c0 : index
    %at39 = ktdp.construct_access_tile %x[%t, %r, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 7 >= 0, d2 >= 0, -d2 + 47 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<5x16x48xf32> -> !ktdp.access_tile<1x8x48xindex>
      %a = ktdp.load %at39 : !ktdp.access_tile<1x8x48xindex> -> tensor<1x8x48xf32>
    scf.if %fst {
    %at40 = ktdp.construct_access_tile %y[%t, %r, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 7 >= 0, d2 >= 0, -d2 + 47 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<5x16x48xf32> -> !ktdp.access_tile<1x8x48xindex>
      ktdp.store %a, %at40 : tensor<1x8x48xf32>, !ktdp.access_tile<1x8x48xindex>
    } else {
    %tm = arith.subi %t, %c1 : index
    %at41 = ktdp.construct_access_tile %x[%tm, %r, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 7 >= 0, d2 >= 0, -d2 + 47 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<5x16x48xf32> -> !ktdp.access_tile<1x8x48xindex>
      %p = ktdp.load %at41 : !ktdp.access_tile<1x8x48xindex> -> tensor<1x8x48xf32>
    %d = arith.subf %a, %p : tensor<1x8x48xf32>
    %at42 = ktdp.construct_access_tile %y[%t, %r, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 7 >= 0, d2 >= 0, -d2 + 47 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<5x16x48xf32> -> !ktdp.access_tile<1x8x48xindex>
      ktdp.store %d, %at42 : tensor<1x8x48xf32>, !ktdp.access_tile<1x8x48xindex>
    }
    }
    return
  }
}
