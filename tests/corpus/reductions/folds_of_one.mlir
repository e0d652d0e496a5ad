// Two folds in a row, each of one element, in a loop over elements: the loop becomes the vector, every lane folds its own.
func.func @elements(%q: index, %r: index) attributes {grid = [2]} {
  %me = ktdp.get_compute_tile_id : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %big = arith.constant 1.0e+04 : f32
  %qv = ktdp.construct_memory_view %q, sizes: [24], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 23 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<24xf32>
  %rv = ktdp.construct_memory_view %r, sizes: [24], strides: [1] {coordinate_set = affine_set<(i) : (i >= 0, -i + 23 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<24xf32>
  scf.for %i = %c0 to %c3 step %c1 {
    %s = arith.muli %i, %c8 : index
    %at = arith.addi %me, %s : index
    %t = ktdp.construct_access_tile %qv[%at] {access_tile_set = affine_set<(i) : (i >= 0, -i + 0 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<24xf32> -> !ktdp.access_tile<1xindex>
    %d = ktdp.load %t : <1xindex> -> tensor<1xf32>
    %e = tensor.empty() : tensor<f32>
    %e1 = tensor.empty() : tensor<1xf32>
    %f = linalg.fill ins(%big : f32) outs(%e : tensor<f32>) -> tensor<f32>
    %m = linalg.reduce { arith.minimumf } ins(%d : tensor<1xf32>) outs(%f : tensor<f32>) dimensions = [0]
    %b = linalg.broadcast ins(%m : tensor<f32>) outs(%e1 : tensor<1xf32>) dimensions = [0]
    %f2 = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
    %n = linalg.reduce { arith.addf } ins(%b : tensor<1xf32>) outs(%f2 : tensor<f32>) dimensions = [0]
    %b2 = linalg.broadcast ins(%n : tensor<f32>) outs(%e1 : tensor<1xf32>) dimensions = [0]
    %o = ktdp.construct_access_tile %rv[%at] {access_tile_set = affine_set<(i) : (i >= 0, -i + 0 >= 0)>, access_tile_order = affine_map<(i) -> (i)>} : memref<24xf32> -> !ktdp.access_tile<1xindex>
    ktdp.store %b2, %o : tensor<1xf32>, <1xindex>
  }
  return
}
