// Any and all of a comparison: i1 values folded with or and and.
module {
  func.func @any_all(%x: index, %any: index, %all: index) attributes {grid = [4]} {
    %me = ktdp.get_compute_tile_id : index
    %xv = ktdp.construct_memory_view %x, sizes: [32, 64], strides: [64, 1] {
      coordinate_set = affine_set<(i, j) : (i >= 0, -i + 31 >= 0, j >= 0, -j + 63 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32x64xi32>
    %t1 = ktdp.construct_access_tile %xv[%me * 8, 0] {
      access_tile_set = affine_set<(i, j) : (i >= 0, -i + 7 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>
    } : memref<32x64xi32> -> !ktdp.access_tile<8x64xindex>
    %d2 = ktdp.load %t1 : <8x64xindex> -> tensor<8x64xi32>
    %v3 = arith.constant dense<3> : tensor<8x64xi32>
    %v4 = arith.cmpi sgt, %d2, %v3 : tensor<8x64xi32>
    %v5 = arith.extui %v4 : tensor<8x64xi1> to tensor<8x64xi32>
    %v6 = arith.constant dense<0> : tensor<8xi32>
    %v7 = arith.constant dense<1> : tensor<8xi32>
    %v8 = linalg.reduce { arith.ori } ins(%v5 : tensor<8x64xi32>) outs(%v6 : tensor<8xi32>) dimensions = [1]
    %v9 = linalg.reduce { arith.andi } ins(%v5 : tensor<8x64xi32>) outs(%v7 : tensor<8xi32>) dimensions = [1]
    %anyv = ktdp.construct_memory_view %any, sizes: [32], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 31 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32xi32>
    %t10 = ktdp.construct_access_tile %anyv[%me * 8] {
      access_tile_set = affine_set<(i) : (i >= 0, -i + 7 >= 0)>,
      access_tile_order = affine_map<(i) -> (i)>
    } : memref<32xi32> -> !ktdp.access_tile<8xindex>
    ktdp.store %v8, %t10 : tensor<8xi32>, <8xindex>
    %allv = ktdp.construct_memory_view %all, sizes: [32], strides: [1] {
      coordinate_set = affine_set<(i) : (i >= 0, -i + 31 >= 0)>,
      memory_space = #ktdp.memory_space<global>
    } : memref<32xi32>
    %t11 = ktdp.construct_access_tile %allv[%me * 8] {
      access_tile_set = affine_set<(i) : (i >= 0, -i + 7 >= 0)>,
      access_tile_order = affine_map<(i) -> (i)>
    } : memref<32xi32> -> !ktdp.access_tile<8xindex>
    ktdp.store %v9, %t11 : tensor<8xi32>, <8xindex>
    return
  }
}
