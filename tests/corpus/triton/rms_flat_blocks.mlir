// RMS norm over a flat vector: a rank-0 sum, scalar arithmetic on it, splat back
module {
  func.func @rms_flat_blocks(%x_ptr: index, %y_ptr: index) attributes {grid = [4]} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %zero = arith.constant dense<0.000000e+00> : tensor<64xf32>
    %pid = ktdp.get_compute_tile_id : index
    %base = arith.muli %pid, %c256 : index
    %x = ktdp.construct_memory_view %x_ptr, sizes: [1024], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 1023 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<1024xbf16>
    %y = ktdp.construct_memory_view %y_ptr, sizes: [1024], strides: [1] {coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 1023 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<1024xbf16>
    %acc = scf.for %k = %c0 to %c256 step %c64 iter_args(%a = %zero) -> (tensor<64xf32>) {
    %o = arith.addi %base, %k : index
    %at14 = ktdp.construct_access_tile %x[%o] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 63 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<1024xbf16> -> !ktdp.access_tile<64xindex>
      %v = ktdp.load %at14 : !ktdp.access_tile<64xindex> -> tensor<64xbf16>
    %f = arith.extf %v : tensor<64xbf16> to tensor<64xf32>
    %q = arith.mulf %f, %f : tensor<64xf32>
    %n = arith.addf %a, %q : tensor<64xf32>
    scf.yield %n : tensor<64xf32>
    }
    %z0 = arith.constant dense<0.000000e+00> : tensor<f32>
    %s = linalg.reduce { arith.addf } ins(%acc : tensor<64xf32>) outs(%z0 : tensor<f32>) dimensions = [0]
    %sv = tensor.extract %s[] : tensor<f32>
    %cn = arith.constant 2.560000e+02 : f32
    %ce = arith.constant 9.99999997E-7 : f32
    %m = arith.divf %sv, %cn : f32
    %me = arith.addf %m, %ce : f32
    %r = math.rsqrt %me : f32
    %rb = tensor.splat %r : tensor<64xf32>
    scf.for %k = %c0 to %c256 step %c64 {
    %o = arith.addi %base, %k : index
    %at15 = ktdp.construct_access_tile %x[%o] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 63 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<1024xbf16> -> !ktdp.access_tile<64xindex>
      %v = ktdp.load %at15 : !ktdp.access_tile<64xindex> -> tensor<64xbf16>
    %f = arith.extf %v : tensor<64xbf16> to tensor<64xf32>
    %q = arith.mulf %f, %rb : tensor<64xf32>
    %h = arith.truncf %q : tensor<64xf32> to tensor<64xbf16>
    %at16 = ktdp.construct_access_tile %y[%o] {access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 63 >= 0)>, access_tile_order = affine_map<(d0) -> (d0)>} : memref<1024xbf16> -> !ktdp.access_tile<64xindex>
      ktdp.store %h, %at16 : tensor<64xbf16>, !ktdp.access_tile<64xindex>
    }
    return
  }
}
