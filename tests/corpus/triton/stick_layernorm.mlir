// Layer norm over sticks: two sums in one generic, statistics in a second
module {
  func.func @stick_layernorm(%x_ptr: index, %w_ptr: index, %y_ptr: index) attributes {grid = [8]} {
    %c2 = arith.constant 2 : index
    %z = arith.constant dense<0.000000e+00> : tensor<2xf32>
    %pid = ktdp.get_compute_tile_id : index
    %r = arith.muli %pid, %c2 : index
    %x = ktdp.construct_memory_view %x_ptr, sizes: [4, 16, 64], strides: [1024, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 15 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4x16x64xf16>
    %w = ktdp.construct_memory_view %w_ptr, sizes: [4, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4x64xf16>
    %y = ktdp.construct_memory_view %y_ptr, sizes: [4, 16, 64], strides: [1024, 64, 1] {coordinate_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 15 >= 0, d2 >= 0, -d2 + 63 >= 0)>, memory_space = #ktdp.memory_space<global>} : memref<4x16x64xf16>
    %at106 = ktdp.construct_access_tile %x[0, %r, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 1 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<4x16x64xf16> -> !ktdp.access_tile<4x2x64xindex>
      %v = ktdp.load %at106 : !ktdp.access_tile<4x2x64xindex> -> tensor<4x2x64xf16>
    %at107 = ktdp.construct_access_tile %w[0, 0] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<4x64xf16> -> !ktdp.access_tile<4x64xindex>
      %wv = ktdp.load %at107 : !ktdp.access_tile<4x64xindex> -> tensor<4x64xf16>
    %s:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1)>, affine_map<(d0, d1, d2) -> (d1)>], iterator_types = ["reduction", "parallel", "reduction"]} ins(%v : tensor<4x2x64xf16>) outs(%z, %z : tensor<2xf32>, tensor<2xf32>) {
    ^bb0(%in: f16, %a: f32, %b: f32):
    %f = arith.extf %in : f16 to f32
    %q = arith.mulf %f, %f : f32
    %a1 = arith.addf %a, %f : f32
    %b1 = arith.addf %b, %q : f32
    linalg.yield %a1, %b1 : f32, f32
    } -> (tensor<2xf32>, tensor<2xf32>)
    %e2 = tensor.empty() : tensor<2xf32>
    %mr:2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%s#0, %s#1 : tensor<2xf32>, tensor<2xf32>) outs(%e2, %e2 : tensor<2xf32>, tensor<2xf32>) {
    ^bb0(%a: f32, %b: f32, %o1: f32, %o2: f32):
    %n = arith.constant 2.560000e+02 : f32
    %m = arith.divf %a, %n : f32
    %q = arith.divf %b, %n : f32
    %mm = arith.mulf %m, %m : f32
    %var = arith.subf %q, %mm : f32
    %eps = arith.constant 9.99999974E-6 : f32
    %ve = arith.addf %var, %eps : f32
    %rs = math.rsqrt %ve : f32
    linalg.yield %m, %rs : f32, f32
    } -> (tensor<2xf32>, tensor<2xf32>)
    %e = tensor.empty() : tensor<4x2x64xf16>
    %o = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1)>, affine_map<(d0, d1, d2) -> (d1)>, affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v, %mr#0, %mr#1, %wv : tensor<4x2x64xf16>, tensor<2xf32>, tensor<2xf32>, tensor<4x64xf16>) outs(%e : tensor<4x2x64xf16>) {
    ^bb0(%in: f16, %m: f32, %rs: f32, %wi: f16, %out: f16):
    %f = arith.extf %in : f16 to f32
    %wf = arith.extf %wi : f16 to f32
    %d = arith.subf %f, %m : f32
    %h = arith.mulf %d, %rs : f32
    %g = arith.mulf %h, %wf : f32
    %t = arith.truncf %g : f32 to f16
    linalg.yield %t : f16
    } -> tensor<4x2x64xf16>
    %at108 = ktdp.construct_access_tile %y[0, %r, 0] {access_tile_set = affine_set<(d0, d1, d2) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 1 >= 0, d2 >= 0, -d2 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<4x16x64xf16> -> !ktdp.access_tile<4x2x64xindex>
      ktdp.store %o, %at108 : tensor<4x2x64xf16>, !ktdp.access_tile<4x2x64xindex>
    return
  }
}
