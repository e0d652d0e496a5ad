// Softmax with running maximum and sum carried over column blocks
module {
  func.func @softmax_online(%x_ptr: index, %y_ptr: index) attributes {grid = [8]} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c320 = arith.constant 320 : index
    %ninf = arith.constant dense<0xFF800000> : tensor<1xf32>
    %zero = arith.constant dense<0.000000e+00> : tensor<1xf32>
    %pid = ktdp.get_compute_tile_id : index
    %x = ktdp.construct_memory_view %x_ptr, sizes: [8, 320], strides: [320, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 319 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<8x320xf32>
    %y = ktdp.construct_memory_view %y_ptr, sizes: [8, 320], strides: [320, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 319 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<8x320xf32>
    %st:2 = scf.for %k = %c0 to %c320 step %c64 iter_args(%m = %ninf, %d = %zero) -> (tensor<1xf32>, tensor<1xf32>) {
    %at77 = ktdp.construct_access_tile %x[%pid, %k] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<8x320xf32> -> !ktdp.access_tile<1x64xindex>
      %v = ktdp.load %at77 : !ktdp.access_tile<1x64xindex> -> tensor<1x64xf32>
    %bm = linalg.reduce { arith.maximumf } ins(%v : tensor<1x64xf32>) outs(%ninf : tensor<1xf32>) dimensions = [1]
    %nm = arith.maximumf %m, %bm : tensor<1xf32>
    %dm = arith.subf %m, %nm : tensor<1xf32>
    %sc = math.exp %dm : tensor<1xf32>
    %d1 = arith.mulf %d, %sc : tensor<1xf32>
    %be78 = tensor.empty() : tensor<1x64xf32>
      %nb = linalg.broadcast ins(%nm : tensor<1xf32>) outs(%be78 : tensor<1x64xf32>) dimensions = [1]
    %s = arith.subf %v, %nb : tensor<1x64xf32>
    %e = math.exp %s : tensor<1x64xf32>
    %bs = linalg.reduce { arith.addf } ins(%e : tensor<1x64xf32>) outs(%zero : tensor<1xf32>) dimensions = [1]
    %d2 = arith.addf %d1, %bs : tensor<1xf32>
    scf.yield %nm, %d2 : tensor<1xf32>, tensor<1xf32>
    }
    %be79 = tensor.empty() : tensor<1x64xf32>
      %mb = linalg.broadcast ins(%st#0 : tensor<1xf32>) outs(%be79 : tensor<1x64xf32>) dimensions = [1]
    %be80 = tensor.empty() : tensor<1x64xf32>
      %db = linalg.broadcast ins(%st#1 : tensor<1xf32>) outs(%be80 : tensor<1x64xf32>) dimensions = [1]
    scf.for %k = %c0 to %c320 step %c64 {
    %at81 = ktdp.construct_access_tile %x[%pid, %k] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<8x320xf32> -> !ktdp.access_tile<1x64xindex>
      %v = ktdp.load %at81 : !ktdp.access_tile<1x64xindex> -> tensor<1x64xf32>
    %s = arith.subf %v, %mb : tensor<1x64xf32>
    %e = math.exp %s : tensor<1x64xf32>
    %o = arith.divf %e, %db : tensor<1x64xf32>
    %at82 = ktdp.construct_access_tile %y[%pid, %k] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<8x320xf32> -> !ktdp.access_tile<1x64xindex>
      ktdp.store %o, %at82 : tensor<1x64xf32>, !ktdp.access_tile<1x64xindex>
    }
    return
  }
}
