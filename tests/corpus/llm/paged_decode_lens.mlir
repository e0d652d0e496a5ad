// Paged decode: the lengths of the contexts bound the loop over cache blocks, the last block is partial
// (grid: sequence, head)
module {
  func.func @paged_decode_lens(%q: index, %kc: index, %vc: index, %bt: index, %lens: index, %o: index) attributes {grid = [2, 2]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %seq, %head = ktdp.get_compute_tile_id : index, index
    %qv = ktdp.construct_memory_view %q, sizes: [2, 2, 64], strides: [128, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 1 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x2x64xf16>
    %kv = ktdp.construct_memory_view %kc, sizes: [12, 8, 2, 64], strides: [1024, 128, 64, 1] {coordinate_set = affine_set<(d0, d1, d2, d3) : (d0 >= 0, -d0 + 11 >= 0, d1 >= 0, -d1 + 7 >= 0, d2 >= 0, -d2 + 1 >= 0, d3 >= 0, -d3 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<12x8x2x64xf16>
    %vv = ktdp.construct_memory_view %vc, sizes: [12, 8, 2, 64], strides: [1024, 128, 64, 1] {coordinate_set = affine_set<(d0, d1, d2, d3) : (d0 >= 0, -d0 + 11 >= 0, d1 >= 0, -d1 + 7 >= 0, d2 >= 0, -d2 + 1 >= 0, d3 >= 0, -d3 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<12x8x2x64xf16>
    %bv = ktdp.construct_memory_view %bt, sizes: [2, 6], strides: [6, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 5 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x6xi32>
    %lv = ktdp.construct_memory_view %lens, sizes: [2], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 1 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2xi32>
    %ov = ktdp.construct_memory_view %o, sizes: [2, 2, 64], strides: [128, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 1 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<2x2x64xf16>
    %minf = arith.constant dense<0xFF800000> : tensor<1xf32>
    %z1 = arith.constant dense<0.000000e+00> : tensor<1xf32>
    %zs = arith.constant dense<0.000000e+00> : tensor<1x8xf32>
    %za = arith.constant dense<0.000000e+00> : tensor<1x64xf32>
    %scale = arith.constant dense<1.250000e-01> : tensor<1x8xf32>
    %neg = arith.constant dense<-1.000000e+06> : tensor<1x8xf32>
    %len_v_t = ktdp.construct_access_tile %lv[%seq] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<2xi32> -> !ktdp.access_tile<1xindex>
    %len_v = ktdp.load %len_v_t : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %len_i = tensor.extract %len_v[%c0] : tensor<1xi32>
    %len = arith.index_cast %len_i : i32 to index
    %blocks = arith.ceildivsi %len, %c8 : index
    %q3_t = ktdp.construct_access_tile %qv[%seq, %head, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 0 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<2x2x64xf16> -> !ktdp.access_tile<1x1x64xindex>
    %q3 = ktdp.load %q3_t : !ktdp.access_tile<1x1x64xindex> -> tensor<1x1x64xf16>
    %q1 = tensor.collapse_shape %q3 [[0, 1], [2]] : tensor<1x1x64xf16> into tensor<1x64xf16>
    %r:3 = scf.for %j = %c0 to %blocks step %c1 iter_args(%m = %minf, %l = %z1, %acc = %za) -> (tensor<1xf32>, tensor<1xf32>, tensor<1x64xf32>) {
      %id_v_t = ktdp.construct_access_tile %bv[%seq, %j] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 0 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<2x6xi32> -> !ktdp.access_tile<1x1xindex>
      %id_v = ktdp.load %id_v_t : !ktdp.access_tile<1x1xindex> -> tensor<1x1xi32>
      %id_i = tensor.extract %id_v[%c0, %c0] : tensor<1x1xi32>
      %id = arith.index_cast %id_i : i32 to index
      %k4_t = ktdp.construct_access_tile %kv[%id, 0, %head, 0] {access_tile_set = affine_set<(d0, d1, d2, d3) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 7 >= 0, d2 >= 0, -d2 + 0 >= 0, d3 >= 0, -d3 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>} : memref<12x8x2x64xf16> -> !ktdp.access_tile<1x8x1x64xindex>
      %k4 = ktdp.load %k4_t : !ktdp.access_tile<1x8x1x64xindex> -> tensor<1x8x1x64xf16>
      %k2 = tensor.collapse_shape %k4 [[0, 1, 2], [3]] : tensor<1x8x1x64xf16> into tensor<8x64xf16>
      %v4_t = ktdp.construct_access_tile %vv[%id, 0, %head, 0] {access_tile_set = affine_set<(d0, d1, d2, d3) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 7 >= 0, d2 >= 0, -d2 + 0 >= 0, d3 >= 0, -d3 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>} : memref<12x8x2x64xf16> -> !ktdp.access_tile<1x8x1x64xindex>
      %v4 = ktdp.load %v4_t : !ktdp.access_tile<1x8x1x64xindex> -> tensor<1x8x1x64xf16>
      %v2 = tensor.collapse_shape %v4 [[0, 1, 2], [3]] : tensor<1x8x1x64xf16> into tensor<8x64xf16>
      %ke = tensor.empty() : tensor<64x8xf16>
      %kt = linalg.transpose ins(%k2 : tensor<8x64xf16>) outs(%ke : tensor<64x8xf16>) permutation = [1, 0]
      %s0 = linalg.matmul ins(%q1, %kt : tensor<1x64xf16>, tensor<64x8xf16>) outs(%zs : tensor<1x8xf32>) -> tensor<1x8xf32>
      %s1 = arith.mulf %s0, %scale : tensor<1x8xf32>
      %first = arith.muli %j, %c8 : index
      %left = arith.subi %len, %first : index
      %mask = tensor.generate {
      ^bb0(%a: index, %b: index):
        %in = arith.cmpi slt, %b, %left : index
        tensor.yield %in : i1
      } : tensor<1x8xi1>
      %s2 = arith.select %mask, %s1, %neg : tensor<1x8xi1>, tensor<1x8xf32>
      %bm = linalg.reduce { arith.maximumf } ins(%s2 : tensor<1x8xf32>) outs(%minf : tensor<1xf32>) dimensions = [1]
      %m2 = arith.maximumf %m, %bm : tensor<1xf32>
      %e8 = tensor.empty() : tensor<1x8xf32>
      %mb = linalg.broadcast ins(%m2 : tensor<1xf32>) outs(%e8 : tensor<1x8xf32>) dimensions = [1]
      %d = arith.subf %s2, %mb : tensor<1x8xf32>
      %p = math.exp %d : tensor<1x8xf32>
      %dm = arith.subf %m, %m2 : tensor<1xf32>
      %alpha = math.exp %dm : tensor<1xf32>
      %ps = linalg.reduce { arith.addf } ins(%p : tensor<1x8xf32>) outs(%z1 : tensor<1xf32>) dimensions = [1]
      %l1 = arith.mulf %l, %alpha : tensor<1xf32>
      %l2 = arith.addf %l1, %ps : tensor<1xf32>
      %e64 = tensor.empty() : tensor<1x64xf32>
      %ab = linalg.broadcast ins(%alpha : tensor<1xf32>) outs(%e64 : tensor<1x64xf32>) dimensions = [1]
      %a1 = arith.mulf %acc, %ab : tensor<1x64xf32>
      %p16 = arith.truncf %p : tensor<1x8xf32> to tensor<1x8xf16>
      %pv = linalg.matmul ins(%p16, %v2 : tensor<1x8xf16>, tensor<8x64xf16>) outs(%za : tensor<1x64xf32>) -> tensor<1x64xf32>
      %a2 = arith.addf %a1, %pv : tensor<1x64xf32>
      scf.yield %m2, %l2, %a2 : tensor<1xf32>, tensor<1xf32>, tensor<1x64xf32>
    }
    %eps = arith.constant dense<1.000000e-20> : tensor<1xf32>
    %lp = arith.maximumf %r#1, %eps : tensor<1xf32>
    %eo = tensor.empty() : tensor<1x64xf32>
    %lb = linalg.broadcast ins(%lp : tensor<1xf32>) outs(%eo : tensor<1x64xf32>) dimensions = [1]
    %o1 = arith.divf %r#2, %lb : tensor<1x64xf32>
    %o2 = arith.truncf %o1 : tensor<1x64xf32> to tensor<1x64xf16>
    %o3 = tensor.expand_shape %o2 [[0, 1], [2]] output_shape [1, 1, 64] : tensor<1x64xf16> into tensor<1x1x64xf16>
    %at_6 = ktdp.construct_access_tile %ov[%seq, %head, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 0 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<2x2x64xf16> -> !ktdp.access_tile<1x1x64xindex>
    ktdp.store %o3, %at_6 : tensor<1x1x64xf16>, !ktdp.access_tile<1x1x64xindex>
    return
  }
}
