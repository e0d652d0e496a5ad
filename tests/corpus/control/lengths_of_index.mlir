// Rows below a loaded number of type index are doubled in place: its elements are wider than those of the rows.
#two = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>
#one = affine_set<(d0) : (d0 >= 0, -d0 >= 0)>
#all = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 5 >= 0, d2 >= 0, -d2 + 63 >= 0)>
#row = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 >= 0, d1 >= 0, -d1 >= 0, d2 >= 0, -d2 + 63 >= 0)>
#same = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
module {
  func.func @lengths_of_index(%n: index, %x: index) attributes {grid = [2]} {
    %pid = ktdp.get_compute_tile_id : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %nv = ktdp.construct_memory_view %n, sizes: [2], strides: [1] {coordinate_set = #two, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2xindex>
    %xv = ktdp.construct_memory_view %x, sizes: [2, 6, 64], strides: [384, 64, 1] {coordinate_set = #all, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x6x64xf16>
    %nt = ktdp.construct_access_tile %nv[%pid] {access_tile_set = #one, access_tile_order = affine_map<(d0) -> (d0)>} : memref<2xindex> -> !ktdp.access_tile<1xindex>
    %nl = ktdp.load %nt : !ktdp.access_tile<1xindex> -> tensor<1xindex>
    %m = tensor.extract %nl[%c0] : tensor<1xindex>
    scf.for %i = %c0 to %m step %c1 {
      %t = ktdp.construct_access_tile %xv[%pid, %i, %c0] {access_tile_set = #row, access_tile_order = #same} : memref<2x6x64xf16> -> !ktdp.access_tile<1x1x64xindex>
      %r = ktdp.load %t : !ktdp.access_tile<1x1x64xindex> -> tensor<1x1x64xf16>
      %s = arith.addf %r, %r : tensor<1x1x64xf16>
      ktdp.store %s, %t : tensor<1x1x64xf16>, !ktdp.access_tile<1x1x64xindex>
    }
    return
  }
}
