// A kernel without a grid: one tile.
module {
  func.func @no_grid(%x: index, %out: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %xv = ktdp.construct_memory_view %x, sizes: [64, 96], strides: [96, 1] {
      coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 95 >= 0)>, memory_space = #ktdp.memory_space<global>
    } : memref<64x96xf16>
    %ov = ktdp.construct_memory_view %out, sizes: [64, 96], strides: [96, 1] {
      coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 95 >= 0)>, memory_space = #ktdp.memory_space<global>
    } : memref<64x96xf16>
    scf.for %i = %c0 to %c4 step %c1 {
      %row = arith.muli %i, %c16 : index
      %xt = ktdp.construct_access_tile %xv[%row, %c0] {
        access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 95 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>
      } : memref<64x96xf16> -> !ktdp.access_tile<16x96xindex>
      %ot = ktdp.construct_access_tile %ov[%row, %c0] {
        access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 95 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>
      } : memref<64x96xf16> -> !ktdp.access_tile<16x96xindex>
      %a = ktdp.load %xt : !ktdp.access_tile<16x96xindex> -> tensor<16x96xf16>
      %b = math.absf %a : tensor<16x96xf16>
      ktdp.store %b, %ot : tensor<16x96xf16>, !ktdp.access_tile<16x96xindex>
    }
    return
  }
}
