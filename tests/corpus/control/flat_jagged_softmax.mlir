// Softmax over the values of each segment of a flat list, in blocks of 16 with a masked tail: three loops over one range
module {
  func.func @flat_jagged_softmax(%offs: index, %x: index, %y: index) attributes {grid = [3]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %pid = ktdp.get_compute_tile_id : index
    %ov = ktdp.construct_memory_view %offs, sizes: [4], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4xi32>
    %xv = ktdp.construct_memory_view %x, sizes: [64], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<64xf32>
    %yv = ktdp.construct_memory_view %y, sizes: [3, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<3x64xf32>
    %minf = arith.constant dense<0xFF800000> : tensor<16xf32>
    %z = arith.constant dense<0.000000e+00> : tensor<16xf32>
    %minf0 = arith.constant 0xFF800000 : f32
    %z0 = arith.constant 0.000000e+00 : f32
    %mi = arith.constant dense<0xFF800000> : tensor<f32>
    %zi = arith.constant dense<0.000000e+00> : tensor<f32>
    %next = arith.addi %pid, %c1 : index
    %lo_v_t = ktdp.construct_access_tile %ov[%pid] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<4xi32> -> !ktdp.access_tile<1xindex>
    %lo_v = ktdp.load %lo_v_t : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %lo_i = tensor.extract %lo_v[%c0] : tensor<1xi32>
    %lo = arith.index_cast %lo_i : i32 to index
    %hi_v_t = ktdp.construct_access_tile %ov[%next] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<4xi32> -> !ktdp.access_tile<1xindex>
    %hi_v = ktdp.load %hi_v_t : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %hi_i = tensor.extract %hi_v[%c0] : tensor<1xi32>
    %hi = arith.index_cast %hi_i : i32 to index
    %len = arith.subi %hi, %lo : index
    %mx = scf.for %i1 = %c0 to %len step %c16 iter_args(%m = %minf0) -> (f32) {
      %at1 = arith.addi %lo, %i1 : index
      %b1_t = ktdp.construct_access_tile %xv[%at1] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 15 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<64xf32> -> !ktdp.access_tile<16xindex>
      %b1 = ktdp.load %b1_t : !ktdp.access_tile<16xindex> -> tensor<16xf32>
      %left1 = arith.subi %len, %i1 : index
      %mask1 = tensor.generate {
      ^bb0(%a: index):
        %in = arith.cmpi slt, %a, %left1 : index
        tensor.yield %in : i1
      } : tensor<16xi1>
      %v1 = arith.select %mask1, %b1, %minf : tensor<16xi1>, tensor<16xf32>
      %r = linalg.reduce { arith.maximumf } ins(%v1 : tensor<16xf32>) outs(%mi : tensor<f32>) dimensions = [0]
      %f = tensor.extract %r[] : tensor<f32>
      %m2 = arith.maximumf %m, %f : f32
      scf.yield %m2 : f32
    }
    %ms = tensor.splat %mx : tensor<16xf32>
    %sm = scf.for %i2 = %c0 to %len step %c16 iter_args(%m = %z0) -> (f32) {
      %at2 = arith.addi %lo, %i2 : index
      %b2_t = ktdp.construct_access_tile %xv[%at2] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 15 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<64xf32> -> !ktdp.access_tile<16xindex>
      %b2 = ktdp.load %b2_t : !ktdp.access_tile<16xindex> -> tensor<16xf32>
      %left2 = arith.subi %len, %i2 : index
      %mask2 = tensor.generate {
      ^bb0(%a: index):
        %in = arith.cmpi slt, %a, %left2 : index
        tensor.yield %in : i1
      } : tensor<16xi1>
      %v2 = arith.select %mask2, %b2, %minf : tensor<16xi1>, tensor<16xf32>
      %d = arith.subf %v2, %ms : tensor<16xf32>
      %e = math.exp %d : tensor<16xf32>
      %r = linalg.reduce { arith.addf } ins(%e : tensor<16xf32>) outs(%zi : tensor<f32>) dimensions = [0]
      %f = tensor.extract %r[] : tensor<f32>
      %m2 = arith.addf %m, %f : f32
      scf.yield %m2 : f32
    }
    %ss = tensor.splat %sm : tensor<16xf32>
    scf.for %i3 = %c0 to %len step %c16 {
      %at3 = arith.addi %lo, %i3 : index
      %b3_t = ktdp.construct_access_tile %xv[%at3] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 15 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<64xf32> -> !ktdp.access_tile<16xindex>
      %b3 = ktdp.load %b3_t : !ktdp.access_tile<16xindex> -> tensor<16xf32>
      %left3 = arith.subi %len, %i3 : index
      %mask3 = tensor.generate {
      ^bb0(%a: index):
        %in = arith.cmpi slt, %a, %left3 : index
        tensor.yield %in : i1
      } : tensor<16xi1>
      %v3 = arith.select %mask3, %b3, %minf : tensor<16xi1>, tensor<16xf32>
      %d = arith.subf %v3, %ms : tensor<16xf32>
      %e = math.exp %d : tensor<16xf32>
      %q = arith.divf %e, %ss : tensor<16xf32>
      %q1 = tensor.expand_shape %q [[0, 1]] output_shape [1, 16] : tensor<16xf32> into tensor<1x16xf32>
      %at_6 = ktdp.construct_access_tile %yv[%pid, %i3] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 15 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<3x64xf32> -> !ktdp.access_tile<1x16xindex>
      ktdp.store %q1, %at_6 : tensor<1x16xf32>, !ktdp.access_tile<1x16xindex>
    }
    return
  }
}
