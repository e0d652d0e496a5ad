// Flash attention over packed sequences: blocks of queries and keys of one sequence, through views as long as it is
// (grid: sequence, block of queries)
module {
  func.func @varlen_flash_blocks(%q: index, %kc: index, %vc: index, %cu: index, %o: index) attributes {grid = [2, 2]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c128 = arith.constant 128 : index
    %seq, %blk = ktdp.get_compute_tile_id : index, index
    %c8 = arith.constant 8 : index
    %qall = ktdp.construct_memory_view %q, sizes: [8, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<8x64xf16>
    %kcall = ktdp.construct_memory_view %kc, sizes: [8, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<8x64xf16>
    %vcall = ktdp.construct_memory_view %vc, sizes: [8, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<8x64xf16>
    %oall = ktdp.construct_memory_view %o, sizes: [8, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<8x64xf16>
    %cv = ktdp.construct_memory_view %cu, sizes: [3], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 2 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<3xi32>
    %minf = arith.constant dense<0xFF800000> : tensor<4xf32>
    %low = arith.constant dense<-1.000000e+06> : tensor<4xf32>
    %z1 = arith.constant dense<0.000000e+00> : tensor<4xf32>
    %zs = arith.constant dense<0.000000e+00> : tensor<4x4xf32>
    %za = arith.constant dense<0.000000e+00> : tensor<4x64xf32>
    %scale = arith.constant dense<1.250000e-01> : tensor<4x4xf32>
    %neg = arith.constant dense<-1.000000e+06> : tensor<4x4xf32>
    %next = arith.addi %seq, %c1 : index
    %lo_v_t = ktdp.construct_access_tile %cv[%seq] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<3xi32> -> !ktdp.access_tile<1xindex>
    %lo_v = ktdp.load %lo_v_t : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %lo_i = tensor.extract %lo_v[%c0] : tensor<1xi32>
    %lo = arith.index_cast %lo_i : i32 to index
    %hi_v_t = ktdp.construct_access_tile %cv[%next] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 0 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<3xi32> -> !ktdp.access_tile<1xindex>
    %hi_v = ktdp.load %hi_v_t : !ktdp.access_tile<1xindex> -> tensor<1xi32>
    %hi_i = tensor.extract %hi_v[%c0] : tensor<1xi32>
    %hi = arith.index_cast %hi_i : i32 to index
    %n = arith.subi %hi, %lo : index
    %off = arith.muli %lo, %c128 : index
    %first = arith.muli %blk, %c4 : index
    %qp = arith.addi %q, %off : index
    %qv = ktdp.construct_memory_view %qp, sizes: [%n, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1)[s0] : (d0 >= 0, s0 - d0 - 1 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<?x64xf16>
    %kcp = arith.addi %kc, %off : index
    %kcv = ktdp.construct_memory_view %kcp, sizes: [%n, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1)[s0] : (d0 >= 0, s0 - d0 - 1 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<?x64xf16>
    %vcp = arith.addi %vc, %off : index
    %vcv = ktdp.construct_memory_view %vcp, sizes: [%n, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1)[s0] : (d0 >= 0, s0 - d0 - 1 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<?x64xf16>
    %op = arith.addi %o, %off : index
    %ov = ktdp.construct_memory_view %op, sizes: [%n, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1)[s0] : (d0 >= 0, s0 - d0 - 1 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<?x64xf16>
    %some = arith.cmpi slt, %first, %n : index
    scf.if %some {
      %qb_t = ktdp.construct_access_tile %qv[%first, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<?x64xf16> -> !ktdp.access_tile<4x64xindex>
      %qb = ktdp.load %qb_t : !ktdp.access_tile<4x64xindex> -> tensor<4x64xf16>
      %few = arith.minsi %n, %c8 : index
      %r:3 = scf.for %j = %c0 to %few step %c4 iter_args(%m = %low, %l = %z1, %acc = %za) -> (tensor<4xf32>, tensor<4xf32>, tensor<4x64xf32>) {
        %kt_t = ktdp.construct_access_tile %kcv[%j, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d1, d0)>} : memref<?x64xf16> -> !ktdp.access_tile<64x4xindex>
        %kt = ktdp.load %kt_t : !ktdp.access_tile<64x4xindex> -> tensor<64x4xf16>
        %vb_t = ktdp.construct_access_tile %vcv[%j, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<?x64xf16> -> !ktdp.access_tile<4x64xindex>
        %vb = ktdp.load %vb_t : !ktdp.access_tile<4x64xindex> -> tensor<4x64xf16>
        %s0 = linalg.matmul ins(%qb, %kt : tensor<4x64xf16>, tensor<64x4xf16>) outs(%zs : tensor<4x4xf32>) -> tensor<4x4xf32>
        %s1 = arith.mulf %s0, %scale : tensor<4x4xf32>
        %left = arith.subi %n, %j : index
        %mask = tensor.generate {
        ^bb0(%a: index, %b: index):
          %in = arith.cmpi slt, %b, %left : index
          tensor.yield %in : i1
        } : tensor<4x4xi1>
        %s2 = arith.select %mask, %s1, %neg : tensor<4x4xi1>, tensor<4x4xf32>
        %bm = linalg.reduce { arith.maximumf } ins(%s2 : tensor<4x4xf32>) outs(%minf : tensor<4xf32>) dimensions = [1]
        %m2 = arith.maximumf %m, %bm : tensor<4xf32>
        %e4 = tensor.empty() : tensor<4x4xf32>
        %mb = linalg.broadcast ins(%m2 : tensor<4xf32>) outs(%e4 : tensor<4x4xf32>) dimensions = [1]
        %d = arith.subf %s2, %mb : tensor<4x4xf32>
        %p = math.exp %d : tensor<4x4xf32>
        %dm = arith.subf %m, %m2 : tensor<4xf32>
        %alpha = math.exp %dm : tensor<4xf32>
        %ps = linalg.reduce { arith.addf } ins(%p : tensor<4x4xf32>) outs(%z1 : tensor<4xf32>) dimensions = [1]
        %l1 = arith.mulf %l, %alpha : tensor<4xf32>
        %l2 = arith.addf %l1, %ps : tensor<4xf32>
        %e64 = tensor.empty() : tensor<4x64xf32>
        %ab = linalg.broadcast ins(%alpha : tensor<4xf32>) outs(%e64 : tensor<4x64xf32>) dimensions = [1]
        %a1 = arith.mulf %acc, %ab : tensor<4x64xf32>
        %p16 = arith.truncf %p : tensor<4x4xf32> to tensor<4x4xf16>
        %pv = linalg.matmul ins(%p16, %vb : tensor<4x4xf16>, tensor<4x64xf16>) outs(%za : tensor<4x64xf32>) -> tensor<4x64xf32>
        %a2 = arith.addf %a1, %pv : tensor<4x64xf32>
        scf.yield %m2, %l2, %a2 : tensor<4xf32>, tensor<4xf32>, tensor<4x64xf32>
      }
      %eo = tensor.empty() : tensor<4x64xf32>
      %lb = linalg.broadcast ins(%r#1 : tensor<4xf32>) outs(%eo : tensor<4x64xf32>) dimensions = [1]
      %o1 = arith.divf %r#2, %lb : tensor<4x64xf32>
      %o2 = arith.truncf %o1 : tensor<4x64xf32> to tensor<4x64xf16>
      %at_6 = ktdp.construct_access_tile %ov[%first, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<?x64xf16> -> !ktdp.access_tile<4x64xindex>
      ktdp.store %o2, %at_6 : tensor<4x64xf16>, !ktdp.access_tile<4x64xindex>
    }
    return
  }
}
