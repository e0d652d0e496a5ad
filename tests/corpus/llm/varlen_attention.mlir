// Attention over packed sequences: every tile takes the queries of one, against blocks of its keys;
// the last block is partial, so the keys are padded by one block
module {
  func.func @varlen_attention(%q: index, %kc: index, %vc: index, %cu: index, %o: index) attributes {grid = [3]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %pid = ktdp.get_compute_tile_id : index
    %qv = ktdp.construct_memory_view %q, sizes: [12, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 11 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<12x64xf16>
    %kv = ktdp.construct_memory_view %kc, sizes: [16, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<16x64xf16>
    %vv = ktdp.construct_memory_view %vc, sizes: [16, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<16x64xf16>
    %cv = ktdp.construct_memory_view %cu, sizes: [4], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 3 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<4xi32>
    %ov = ktdp.construct_memory_view %o, sizes: [12, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 11 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<12x64xf16>
    %minf = arith.constant dense<0xFF800000> : tensor<1xf32>
    %z1 = arith.constant dense<0.000000e+00> : tensor<1xf32>
    %zs = arith.constant dense<0.000000e+00> : tensor<1x4xf32>
    %za = arith.constant dense<0.000000e+00> : tensor<1x64xf32>
    %scale = arith.constant dense<1.250000e-01> : tensor<1x4xf32>
    %neg = arith.constant dense<-1.000000e+06> : tensor<1x4xf32>
    %next = arith.addi %pid, %c1 : index
    %lo_v_t = ktdp.construct_access_tile %cv[%pid] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<4xi32> -> !ktdp.access_tile<1xindex>
    %lo_v = ktdp.load %lo_v_t : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %lo_i = tensor.extract %lo_v[%c0] : tensor<1xi32>
    %lo = arith.index_cast %lo_i : i32 to index
    %hi_v_t = ktdp.construct_access_tile %cv[%next] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<4xi32> -> !ktdp.access_tile<1xindex>
    %hi_v = ktdp.load %hi_v_t : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %hi_i = tensor.extract %hi_v[%c0] : tensor<1xi32>
    %hi = arith.index_cast %hi_i : i32 to index
    %len = arith.subi %hi, %lo : index
    scf.for %i = %lo to %hi step %c1 {
      %q1_t = ktdp.construct_access_tile %qv[%i, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<12x64xf16> -> !ktdp.access_tile<1x64xindex>
      %q1 = ktdp.load %q1_t : !ktdp.access_tile<1x64xindex> -> tensor<1x64xf16>
      %r:3 = scf.for %j = %c0 to %len step %c4 iter_args(%m = %minf, %l = %z1, %acc = %za) -> (tensor<1xf32>, tensor<1xf32>, tensor<1x64xf32>) {
        %at = arith.addi %lo, %j : index
        %kt_t = ktdp.construct_access_tile %kv[%at, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d1, d0)>} : memref<16x64xf16> -> !ktdp.access_tile<64x4xindex>
        %kt = ktdp.load %kt_t : !ktdp.access_tile<64x4xindex> -> tensor<64x4xf16>
        %v2_t = ktdp.construct_access_tile %vv[%at, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<16x64xf16> -> !ktdp.access_tile<4x64xindex>
        %v2 = ktdp.load %v2_t : !ktdp.access_tile<4x64xindex> -> tensor<4x64xf16>
        %s0 = linalg.matmul ins(%q1, %kt : tensor<1x64xf16>, tensor<64x4xf16>) outs(%zs : tensor<1x4xf32>) -> tensor<1x4xf32>
        %s1 = arith.mulf %s0, %scale : tensor<1x4xf32>
        %left = arith.subi %len, %j : index
        %mask = tensor.generate {
        ^bb0(%a: index, %b: index):
          %in = arith.cmpi slt, %b, %left : index
          tensor.yield %in : i1
        } : tensor<1x4xi1>
        %s2 = arith.select %mask, %s1, %neg : tensor<1x4xi1>, tensor<1x4xf32>
        %bm = linalg.reduce { arith.maximumf } ins(%s2 : tensor<1x4xf32>) outs(%minf : tensor<1xf32>) dimensions = [1]
        %m2 = arith.maximumf %m, %bm : tensor<1xf32>
        %e8 = tensor.empty() : tensor<1x4xf32>
        %mb = linalg.broadcast ins(%m2 : tensor<1xf32>) outs(%e8 : tensor<1x4xf32>) dimensions = [1]
        %d = arith.subf %s2, %mb : tensor<1x4xf32>
        %p = math.exp %d : tensor<1x4xf32>
        %dm = arith.subf %m, %m2 : tensor<1xf32>
        %alpha = math.exp %dm : tensor<1xf32>
        %ps = linalg.reduce { arith.addf } ins(%p : tensor<1x4xf32>) outs(%z1 : tensor<1xf32>) dimensions = [1]
        %l1 = arith.mulf %l, %alpha : tensor<1xf32>
        %l2 = arith.addf %l1, %ps : tensor<1xf32>
        %e64 = tensor.empty() : tensor<1x64xf32>
        %ab = linalg.broadcast ins(%alpha : tensor<1xf32>) outs(%e64 : tensor<1x64xf32>) dimensions = [1]
        %a1 = arith.mulf %acc, %ab : tensor<1x64xf32>
        %p16 = arith.truncf %p : tensor<1x4xf32> to tensor<1x4xf16>
        %pv = linalg.matmul ins(%p16, %v2 : tensor<1x4xf16>, tensor<4x64xf16>) outs(%za : tensor<1x64xf32>) -> tensor<1x64xf32>
        %a2 = arith.addf %a1, %pv : tensor<1x64xf32>
        scf.yield %m2, %l2, %a2 : tensor<1xf32>, tensor<1xf32>, tensor<1x64xf32>
      }
      %eo = tensor.empty() : tensor<1x64xf32>
      %lb = linalg.broadcast ins(%r#1 : tensor<1xf32>) outs(%eo : tensor<1x64xf32>) dimensions = [1]
      %o1 = arith.divf %r#2, %lb : tensor<1x64xf32>
      %o2 = arith.truncf %o1 : tensor<1x64xf32> to tensor<1x64xf16>
      %at_6 = ktdp.construct_access_tile %ov[%i, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<12x64xf16> -> !ktdp.access_tile<1x64xindex>
      ktdp.store %o2, %at_6 : tensor<1x64xf16>, !ktdp.access_tile<1x64xindex>
    }
    return
  }
}
