// A window of state moved on by one place in place, the newest column from the oldest
module {
  func.func @shift_in_place(%x: index) attributes {grid = [2]} {
    %1 = ktdp.get_compute_tile_id : index
    %2 = ktdp.construct_memory_view %x, sizes: [2, 9, 70], strides: [630, 70, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 8 >= 0, d2 >= 0, -d2 + 69 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x9x70xbf16>
    %3 = ktdp.construct_access_tile %2[%1, 0, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 8 >= 0, d2 >= 0, -d2 + 69 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<2x9x70xbf16> -> !ktdp.access_tile<1x9x70xindex>
    %4 = ktdp.load %3 : !ktdp.access_tile<1x9x70xindex> -> tensor<1x9x70xbf16>
    %5 = tensor.extract_slice %4[0, 1, 0] [1, 8, 70] [1, 1, 1] : tensor<1x9x70xbf16> to tensor<1x8x70xbf16>
    %6 = ktdp.construct_access_tile %2[%1, 0, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 7 >= 0, d2 >= 0, -d2 + 69 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<2x9x70xbf16> -> !ktdp.access_tile<1x8x70xindex>
    ktdp.store %5, %6 : tensor<1x8x70xbf16>, !ktdp.access_tile<1x8x70xindex>
    %7 = tensor.extract_slice %4[0, 0, 0] [1, 1, 70] [1, 1, 1] : tensor<1x9x70xbf16> to tensor<1x1x70xbf16>
    %8 = ktdp.construct_access_tile %2[%1, 8, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 0 >= 0, d2 >= 0, -d2 + 69 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<2x9x70xbf16> -> !ktdp.access_tile<1x1x70xindex>
    ktdp.store %7, %8 : tensor<1x1x70xbf16>, !ktdp.access_tile<1x1x70xindex>
    return
  }
}
