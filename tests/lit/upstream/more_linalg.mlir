// More forms of linalg; an independent MLIR accepts and prints each of them the same way.
// RUN: %headrace-opt %s --allow-unregistered-dialect > %t.1
// RUN: %headrace-opt %t.1 --allow-unregistered-dialect > %t.2 && diff %t.1 %t.2
// RUN: %headrace-opt %s --allow-unregistered-dialect --mlir-print-op-generic | %headrace-opt --allow-unregistered-dialect > %t.3 && diff %t.1 %t.3
// RUN: %headrace-opt %s --allow-unregistered-dialect --mlir-print-debuginfo | %headrace-opt --allow-unregistered-dialect > %t.4 && diff %t.1 %t.4

func.func @f0(%t: tensor<8x16xf32>, %u: tensor<8x16xf32>) {
  %0 = linalg.add ins(%t, %u : tensor<8x16xf32>, tensor<8x16xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

func.func @f1(%m: memref<8x16xf32>) {
  linalg.add ins(%m, %m : memref<8x16xf32>, memref<8x16xf32>) outs(%m : memref<8x16xf32>)
  return
}

func.func @f2(%i: tensor<8x16xi32>) {
  %0 = linalg.div_unsigned ins(%i, %i : tensor<8x16xi32>, tensor<8x16xi32>) outs(%i : tensor<8x16xi32>) -> tensor<8x16xi32>
  return
}

func.func @f3(%t: tensor<8x16xf32>, %u: tensor<8x16xf32>, %mask: tensor<8x16xi1>) {
  %0 = linalg.select ins(%mask, %t, %u : tensor<8x16xi1>, tensor<8x16xf32>, tensor<8x16xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

func.func @f4(%t: tensor<8x16xf32>) {
  %0 = linalg.exp {foo.x} ins(%t : tensor<8x16xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

func.func @f5(%t: tensor<8x16xf32>, %h: tensor<8x16xf16>) {
  %0 = linalg.copy ins(%t : tensor<8x16xf32>) outs(%h : tensor<8x16xf16>) -> tensor<8x16xf16>
  return
}

func.func @f6(%t: tensor<8x16xf32>, %x: f32) {
  %0 = linalg.fill ins(%x : f32) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

func.func @f7(%t: tensor<8x16xf32>, %z: i32) {
  %0 = linalg.fill ins(%z : i32) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

func.func @f8(%m: memref<8x16xf32>, %x: f32) {
  linalg.fill ins(%x : f32) outs(%m : memref<8x16xf32>)
  return
}

func.func @f9(%t: tensor<8x16xf32>, %a: tensor<8x4xf32>, %b: tensor<4x16xf32>) {
  %0 = linalg.matmul ins(%a, %b : tensor<8x4xf32>, tensor<4x16xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

func.func @f10(%i: tensor<8x16xi32>, %ia: tensor<8x4xi8>, %ib: tensor<4x16xi8>) {
  %0 = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%ia, %ib : tensor<8x4xi8>, tensor<4x16xi8>) outs(%i : tensor<8x16xi32>) -> tensor<8x16xi32>
  return
}

func.func @f11(%b: tensor<4x16xf32>, %im: tensor<?x?xf32>) {
  %0 = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%b, %b : tensor<4x16xf32>, tensor<4x16xf32>) outs(%im : tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}

func.func @f12(%m: memref<8x16xf32>, %ma: memref<8x4xf32>, %mb: memref<4x16xf32>) {
  linalg.matmul ins(%ma, %mb : memref<8x4xf32>, memref<4x16xf32>) outs(%m : memref<8x16xf32>)
  return
}

func.func @f13(%ba: tensor<2x8x4xf32>, %bb: tensor<2x4x16xf32>, %bc: tensor<2x8x16xf32>) {
  %0 = linalg.batch_matmul ins(%ba, %bb : tensor<2x8x4xf32>, tensor<2x4x16xf32>) outs(%bc : tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  return
}

func.func @f14(%ba: tensor<2x8x4xf32>, %bb: tensor<2x4x16xf32>, %bc: tensor<2x8x16xf32>) {
  %0 = linalg.batch_matmul indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>] ins(%ba, %bc : tensor<2x8x4xf32>, tensor<2x8x16xf32>) outs(%bb : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  return
}

func.func @f15(%a: tensor<8x4xf32>, %v: tensor<4xf32>, %r: tensor<8xf32>) {
  %0 = linalg.matvec ins(%a, %v : tensor<8x4xf32>, tensor<4xf32>) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  return
}

func.func @f16(%b: tensor<4x16xf32>, %v: tensor<4xf32>, %c: tensor<16xf32>) {
  %0 = linalg.vecmat ins(%v, %b : tensor<4xf32>, tensor<4x16xf32>) outs(%c : tensor<16xf32>) -> tensor<16xf32>
  return
}

func.func @f17(%v: tensor<4xf32>, %s: tensor<f32>) {
  %0 = linalg.dot ins(%v, %v : tensor<4xf32>, tensor<4xf32>) outs(%s : tensor<f32>) -> tensor<f32>
  return
}

func.func @f18(%ba: tensor<2x8x4xf32>, %bv: tensor<2x4xf32>, %br: tensor<2x8xf32>) {
  %0 = linalg.batch_matvec ins(%ba, %bv : tensor<2x8x4xf32>, tensor<2x4xf32>) outs(%br : tensor<2x8xf32>) -> tensor<2x8xf32>
  return
}

func.func @f19(%t: tensor<8x16xf32>, %ba: tensor<2x8x4xf32>, %bb: tensor<2x4x16xf32>) {
  %0 = linalg.batch_reduce_matmul ins(%ba, %bb : tensor<2x8x4xf32>, tensor<2x4x16xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

func.func @f20(%img: tensor<1x8x8x4xf32>, %flt: tensor<3x3x4x2xf32>, %out: tensor<1x6x6x2xf32>) {
  %0 = linalg.conv_2d_nhwc_hwcf ins(%img, %flt : tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>) outs(%out : tensor<1x6x6x2xf32>) -> tensor<1x6x6x2xf32>
  return
}

func.func @f21(%img: tensor<1x8x8x4xf32>, %flt: tensor<3x3x4x2xf32>, %out: tensor<1x6x6x2xf32>) {
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%img, %flt : tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>) outs(%out : tensor<1x6x6x2xf32>) -> tensor<1x6x6x2xf32>
  return
}

func.func @f22(%nchw: tensor<1x4x8x8xf32>, %fchw: tensor<2x4x3x3xf32>, %onchw: tensor<1x2x6x6xf32>) {
  %0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%nchw, %fchw : tensor<1x4x8x8xf32>, tensor<2x4x3x3xf32>) outs(%onchw : tensor<1x2x6x6xf32>) -> tensor<1x2x6x6xf32>
  return
}

func.func @f23(%img: tensor<1x8x8x4xf32>, %w: tensor<3x3xf32>, %po: tensor<1x6x6x4xf32>) {
  %0 = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%img, %w : tensor<1x8x8x4xf32>, tensor<3x3xf32>) outs(%po : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  return
}

func.func @f24(%img: tensor<1x8x8x4xf32>, %w: tensor<3x3xf32>, %po: tensor<1x6x6x4xf32>) {
  %0 = linalg.pooling_nhwc_sum ins(%img, %w : tensor<1x8x8x4xf32>, tensor<3x3xf32>) outs(%po : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  return
}

func.func @f25(%t: tensor<8x16xf32>, %tr: tensor<16x8xf32>) {
  %0 = linalg.transpose ins(%t : tensor<8x16xf32>) outs(%tr : tensor<16x8xf32>) permutation = [1, 0]
  return
}

func.func @f26(%t: tensor<8x16xf32>, %tr: tensor<16x8xf32>) {
  %0 = linalg.transpose ins(%t : tensor<8x16xf32>) outs(%tr : tensor<16x8xf32>) permutation = [1, 0] {foo.x}
  return
}

func.func @f27(%t: tensor<8x16xf32>, %r: tensor<8xf32>) {
  %0 = linalg.broadcast ins(%r : tensor<8xf32>) outs(%t : tensor<8x16xf32>) dimensions = [1]
  return
}

func.func @f28(%t: tensor<8x16xf32>, %r: tensor<8xf32>) {
  %0 = linalg.reduce { arith.addf } ins(%t : tensor<8x16xf32>) outs(%r : tensor<8xf32>) dimensions = [1]
  return
}

func.func @f29(%t: tensor<8x16xf32>, %r: tensor<8xf32>) {
  %0 = linalg.reduce { arith.addf {fastmath = #arith.fastmath<fast>} } ins(%t : tensor<8x16xf32>) outs(%r : tensor<8xf32>) dimensions = [1] {foo.x}
  return
}

func.func @f30(%t: tensor<8x16xf32>, %s: tensor<f32>) {
  %0 = linalg.reduce { arith.maximumf } ins(%t : tensor<8x16xf32>) outs(%s : tensor<f32>) dimensions = [0, 1]
  return
}

func.func @f31(%t: tensor<8x16xf32>, %r: tensor<8xf32>, %i: tensor<8x16xi32>, %r2: tensor<8xi32>) {
  %0:2 = linalg.reduce ins(%t, %i : tensor<8x16xf32>, tensor<8x16xi32>) outs(%r, %r2 : tensor<8xf32>, tensor<8xi32>) dimensions = [1]
     (%p: f32, %q: i32, %o: f32, %n: i32) {
      linalg.yield %p, %q : f32, i32
    }
  return
}

func.func @f32(%t: tensor<8x16xf32>, %r: tensor<8xf32>) {
  %0 = linalg.reduce ins(%t : tensor<8x16xf32>) outs(%r : tensor<8xf32>) dimensions = [1] (%in: f32, %acc: f32) {
      %e = math.exp %in : f32
      %y = arith.addf %e, %acc : f32
      linalg.yield %y : f32
    }
  return
}

func.func @f33(%t: tensor<8x16xf32>, %u: tensor<8x16xf32>) {
  %0 = linalg.map { arith.addf } ins(%t, %u : tensor<8x16xf32>, tensor<8x16xf32>) outs(%t : tensor<8x16xf32>)
  return
}

func.func @f34(%t: tensor<8x16xf32>) {
  %0 = linalg.map { math.exp } ins(%t : tensor<8x16xf32>) outs(%t : tensor<8x16xf32>) {foo.x}
  return
}

func.func @f35(%t: tensor<8x16xf32>, %u: tensor<8x16xf32>) {
  %0 = linalg.map ins(%t : tensor<8x16xf32>) outs(%u : tensor<8x16xf32>) (%p: f32, %o: f32) {
      %y = arith.addf %p, %p : f32
      linalg.yield %y : f32
    }
  return
}

func.func @f36(%u: tensor<8x16xf32>, %x: f32) {
  %0 = linalg.map outs(%u : tensor<8x16xf32>) (%o: f32) {
      %q = linalg.index 1 : index
      linalg.yield %x : f32
    }
  return
}

func.func @f37(%t: tensor<8x16xf32>, %r: tensor<8xf32>) {
  %0 = linalg.generic {doc = "x", indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"], library_call = "lib"} ins(%t : tensor<8x16xf32>) outs(%r : tensor<8xf32>) attrs = {foo.x = 1 : i32} {
    ^bb0(%p: f32, %o: f32):
      %y = arith.addf %p, %o : f32
      linalg.yield %y : f32
    } -> tensor<8xf32>
  return
}

func.func @f38(%m: memref<8x16xf32>, %x: f32) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%m : memref<8x16xf32>) {
    ^bb0(%o: f32):
      linalg.yield %x : f32
    }
  return
}

func.func @f39(%t: tensor<8x16xf32>, %x: f32) {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : f32) outs(%t : tensor<8x16xf32>) {
    ^bb0(%p: f32, %o: f32):
      linalg.yield %p : f32
    } -> tensor<8x16xf32>
  return
}

func.func @f40(%i: tensor<8x16xi32>, %ia: tensor<8x4xi8>, %ib: tensor<4x16xi8>, %z: i32) {
  %0 = linalg.quantized_matmul ins(%ia, %ib, %z, %z : tensor<8x4xi8>, tensor<4x16xi8>, i32, i32) outs(%i : tensor<8x16xi32>) -> tensor<8x16xi32>
  return
}

func.func @f41(%t: tensor<8x16xf32>) {
  %0 = linalg.reciprocal ins(%t : tensor<8x16xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

func.func @f42(%t: tensor<8x16xf32>) {
  %0 = linalg.square ins(%t : tensor<8x16xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

func.func @f43(%t: tensor<8x16xf32>, %u: tensor<8x16xf32>) {
  %0 = linalg.powf ins(%t, %u : tensor<8x16xf32>, tensor<8x16xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

func.func @f44(%t: tensor<8x16xf32>) {
  %0 = linalg.abs ins(%t : tensor<8x16xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

func.func @f45(%t: tensor<8x16xf32>, %x: f32) {
  %0 = linalg.add ins(%x, %x : f32, f32) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

func.func @f46(%t: tensor<8x16xf32>) {
  %0 = linalg.exp ins(%t : tensor<8x16xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

func.func @f47(%m: memref<8x16xf32>) {
  linalg.exp ins(%m : memref<8x16xf32>) outs(%m : memref<8x16xf32>)
  return
}

func.func @f48(%t: tensor<8x16xf32>) {
  %0 = linalg.log ins(%t : tensor<8x16xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

func.func @f49(%m: memref<8x16xf32>) {
  linalg.log ins(%m : memref<8x16xf32>) outs(%m : memref<8x16xf32>)
  return
}

func.func @f50(%t: tensor<8x16xf32>) {
  %0 = linalg.abs ins(%t : tensor<8x16xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

func.func @f51(%m: memref<8x16xf32>) {
  linalg.abs ins(%m : memref<8x16xf32>) outs(%m : memref<8x16xf32>)
  return
}

func.func @f52(%t: tensor<8x16xf32>) {
  %0 = linalg.ceil ins(%t : tensor<8x16xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

func.func @f53(%m: memref<8x16xf32>) {
  linalg.ceil ins(%m : memref<8x16xf32>) outs(%m : memref<8x16xf32>)
  return
}

func.func @f54(%t: tensor<8x16xf32>) {
  %0 = linalg.floor ins(%t : tensor<8x16xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

func.func @f55(%m: memref<8x16xf32>) {
  linalg.floor ins(%m : memref<8x16xf32>) outs(%m : memref<8x16xf32>)
  return
}

func.func @f56(%t: tensor<8x16xf32>) {
  %0 = linalg.negf ins(%t : tensor<8x16xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

func.func @f57(%m: memref<8x16xf32>) {
  linalg.negf ins(%m : memref<8x16xf32>) outs(%m : memref<8x16xf32>)
  return
}

func.func @f58(%t: tensor<8x16xf32>) {
  %0 = linalg.reciprocal ins(%t : tensor<8x16xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

func.func @f59(%m: memref<8x16xf32>) {
  linalg.reciprocal ins(%m : memref<8x16xf32>) outs(%m : memref<8x16xf32>)
  return
}

func.func @f60(%t: tensor<8x16xf32>) {
  %0 = linalg.round ins(%t : tensor<8x16xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

func.func @f61(%m: memref<8x16xf32>) {
  linalg.round ins(%m : memref<8x16xf32>) outs(%m : memref<8x16xf32>)
  return
}

func.func @f62(%t: tensor<8x16xf32>) {
  %0 = linalg.sqrt ins(%t : tensor<8x16xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

func.func @f63(%m: memref<8x16xf32>) {
  linalg.sqrt ins(%m : memref<8x16xf32>) outs(%m : memref<8x16xf32>)
  return
}

func.func @f64(%t: tensor<8x16xf32>) {
  %0 = linalg.rsqrt ins(%t : tensor<8x16xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

func.func @f65(%m: memref<8x16xf32>) {
  linalg.rsqrt ins(%m : memref<8x16xf32>) outs(%m : memref<8x16xf32>)
  return
}

func.func @f66(%t: tensor<8x16xf32>) {
  %0 = linalg.square ins(%t : tensor<8x16xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

func.func @f67(%m: memref<8x16xf32>) {
  linalg.square ins(%m : memref<8x16xf32>) outs(%m : memref<8x16xf32>)
  return
}

func.func @f68(%t: tensor<8x16xf32>) {
  %0 = linalg.tanh ins(%t : tensor<8x16xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

func.func @f69(%m: memref<8x16xf32>) {
  linalg.tanh ins(%m : memref<8x16xf32>) outs(%m : memref<8x16xf32>)
  return
}

func.func @f70(%t: tensor<8x16xf32>) {
  %0 = linalg.erf ins(%t : tensor<8x16xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

func.func @f71(%m: memref<8x16xf32>) {
  linalg.erf ins(%m : memref<8x16xf32>) outs(%m : memref<8x16xf32>)
  return
}

func.func @f72(%t: tensor<8x16xf32>) {
  %0 = linalg.copy ins(%t : tensor<8x16xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

func.func @f73(%m: memref<8x16xf32>) {
  linalg.copy ins(%m : memref<8x16xf32>) outs(%m : memref<8x16xf32>)
  return
}

func.func @f74(%t: tensor<8x16xf32>) {
  %0 = linalg.add ins(%t, %t : tensor<8x16xf32>, tensor<8x16xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

func.func @f75(%i: tensor<8x16xi32>) {
  %0 = linalg.add ins(%i, %i : tensor<8x16xi32>, tensor<8x16xi32>) outs(%i : tensor<8x16xi32>) -> tensor<8x16xi32>
  return
}

func.func @f76(%t: tensor<8x16xf32>) {
  %0 = linalg.sub ins(%t, %t : tensor<8x16xf32>, tensor<8x16xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

func.func @f77(%i: tensor<8x16xi32>) {
  %0 = linalg.sub ins(%i, %i : tensor<8x16xi32>, tensor<8x16xi32>) outs(%i : tensor<8x16xi32>) -> tensor<8x16xi32>
  return
}

func.func @f78(%t: tensor<8x16xf32>) {
  %0 = linalg.mul ins(%t, %t : tensor<8x16xf32>, tensor<8x16xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

func.func @f79(%i: tensor<8x16xi32>) {
  %0 = linalg.mul ins(%i, %i : tensor<8x16xi32>, tensor<8x16xi32>) outs(%i : tensor<8x16xi32>) -> tensor<8x16xi32>
  return
}

func.func @f80(%t: tensor<8x16xf32>) {
  %0 = linalg.div ins(%t, %t : tensor<8x16xf32>, tensor<8x16xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

func.func @f81(%i: tensor<8x16xi32>) {
  %0 = linalg.div ins(%i, %i : tensor<8x16xi32>, tensor<8x16xi32>) outs(%i : tensor<8x16xi32>) -> tensor<8x16xi32>
  return
}

func.func @f82(%i: tensor<8x16xi32>) {
  %0 = linalg.div_unsigned ins(%i, %i : tensor<8x16xi32>, tensor<8x16xi32>) outs(%i : tensor<8x16xi32>) -> tensor<8x16xi32>
  return
}

func.func @f83(%i: tensor<8x16xi32>) {
  %0 = linalg.div_unsigned ins(%i, %i : tensor<8x16xi32>, tensor<8x16xi32>) outs(%i : tensor<8x16xi32>) -> tensor<8x16xi32>
  return
}

func.func @f84(%t: tensor<8x16xf32>) {
  %0 = linalg.max ins(%t, %t : tensor<8x16xf32>, tensor<8x16xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

func.func @f85(%i: tensor<8x16xi32>) {
  %0 = linalg.max ins(%i, %i : tensor<8x16xi32>, tensor<8x16xi32>) outs(%i : tensor<8x16xi32>) -> tensor<8x16xi32>
  return
}

func.func @f86(%t: tensor<8x16xf32>) {
  %0 = linalg.min ins(%t, %t : tensor<8x16xf32>, tensor<8x16xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

func.func @f87(%i: tensor<8x16xi32>) {
  %0 = linalg.min ins(%i, %i : tensor<8x16xi32>, tensor<8x16xi32>) outs(%i : tensor<8x16xi32>) -> tensor<8x16xi32>
  return
}

func.func @f88(%t: tensor<8x16xf32>) {
  %0 = linalg.powf ins(%t, %t : tensor<8x16xf32>, tensor<8x16xf32>) outs(%t : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

func.func @f89(%p0: tensor<3xf32>, %p1: tensor<3xf32>, %p2: tensor<f32>) {
  %0 = linalg.dot ins(%p0, %p1 : tensor<3xf32>, tensor<3xf32>) outs(%p2 : tensor<f32>) -> tensor<f32>
  return
}

func.func @f90(%p0: tensor<3x1xf32>, %p1: tensor<1xf32>, %p2: tensor<3xf32>) {
  %0 = linalg.matvec ins(%p0, %p1 : tensor<3x1xf32>, tensor<1xf32>) outs(%p2 : tensor<3xf32>) -> tensor<3xf32>
  return
}

func.func @f91(%p0: tensor<3xf32>, %p1: tensor<3x1xf32>, %p2: tensor<1xf32>) {
  %0 = linalg.vecmat ins(%p0, %p1 : tensor<3xf32>, tensor<3x1xf32>) outs(%p2 : tensor<1xf32>) -> tensor<1xf32>
  return
}

func.func @f92(%p0: tensor<2x3x5xf32>, %p1: tensor<2x5xf32>, %p2: tensor<2x3xf32>) {
  %0 = linalg.batch_matvec ins(%p0, %p1 : tensor<2x3x5xf32>, tensor<2x5xf32>) outs(%p2 : tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

func.func @f93(%p0: tensor<2x5xf32>, %p1: tensor<2x5x1xf32>, %p2: tensor<2x1xf32>) {
  %0 = linalg.batch_vecmat ins(%p0, %p1 : tensor<2x5xf32>, tensor<2x5x1xf32>) outs(%p2 : tensor<2x1xf32>) -> tensor<2x1xf32>
  return
}

func.func @f94(%p0: tensor<3x5x4x3xf32>, %p1: tensor<1x5x6x3xf32>, %p2: tensor<3x1x4x6xf32>) {
  %0 = linalg.mmt4d ins(%p0, %p1 : tensor<3x5x4x3xf32>, tensor<1x5x6x3xf32>) outs(%p2 : tensor<3x1x4x6xf32>) -> tensor<3x1x4x6xf32>
  return
}

func.func @f95(%p0: tensor<2x3x5x4x3xf32>, %p1: tensor<2x1x5x6x3xf32>, %p2: tensor<2x3x1x4x6xf32>) {
  %0 = linalg.batch_mmt4d ins(%p0, %p1 : tensor<2x3x5x4x3xf32>, tensor<2x1x5x6x3xf32>) outs(%p2 : tensor<2x3x1x4x6xf32>) -> tensor<2x3x1x4x6xf32>
  return
}

func.func @f96(%p0: tensor<3x5xi8>, %p1: tensor<5x1xi8>, %p2: i32, %p3: i32, %p4: tensor<3x1xi32>) {
  %0 = linalg.quantized_matmul ins(%p0, %p1, %p2, %p3 : tensor<3x5xi8>, tensor<5x1xi8>, i32, i32) outs(%p4 : tensor<3x1xi32>) -> tensor<3x1xi32>
  return
}

func.func @f97(%p0: tensor<6xf32>, %p1: tensor<2xf32>, %p2: tensor<5xf32>) {
  %0 = linalg.conv_1d ins(%p0, %p1 : tensor<6xf32>, tensor<2xf32>) outs(%p2 : tensor<5xf32>) -> tensor<5xf32>
  return
}

func.func @f98(%p0: tensor<6x6xf32>, %p1: tensor<3x2xf32>, %p2: tensor<4x5xf32>) {
  %0 = linalg.conv_2d ins(%p0, %p1 : tensor<6x6xf32>, tensor<3x2xf32>) outs(%p2 : tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

func.func @f99(%p0: tensor<1x6x6xf32>, %p1: tensor<2x6x7xf32>, %p2: tensor<1x5x7xf32>) {
  %0 = linalg.conv_1d_nwc_wcf ins(%p0, %p1 : tensor<1x6x6xf32>, tensor<2x6x7xf32>) outs(%p2 : tensor<1x5x7xf32>) -> tensor<1x5x7xf32>
  return
}

func.func @f100(%p0: tensor<1x6x6xf32>, %p1: tensor<2x6x7xf32>, %p2: tensor<1x5x7xf32>) {
  %0 = linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%p0, %p1 : tensor<1x6x6xf32>, tensor<2x6x7xf32>) outs(%p2 : tensor<1x5x7xf32>) -> tensor<1x5x7xf32>
  return
}

func.func @f101(%p0: tensor<1x6x6xf32>, %p1: tensor<7x6x2xf32>, %p2: tensor<1x7x5xf32>) {
  %0 = linalg.conv_1d_ncw_fcw ins(%p0, %p1 : tensor<1x6x6xf32>, tensor<7x6x2xf32>) outs(%p2 : tensor<1x7x5xf32>) -> tensor<1x7x5xf32>
  return
}

func.func @f102(%p0: tensor<1x6x6xf32>, %p1: tensor<7x6x2xf32>, %p2: tensor<1x7x5xf32>) {
  %0 = linalg.conv_1d_ncw_fcw {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%p0, %p1 : tensor<1x6x6xf32>, tensor<7x6x2xf32>) outs(%p2 : tensor<1x7x5xf32>) -> tensor<1x7x5xf32>
  return
}

func.func @f103(%p0: tensor<1x6x6x6xf32>, %p1: tensor<3x2x6x7xf32>, %p2: tensor<1x4x5x7xf32>) {
  %0 = linalg.conv_2d_nhwc_hwcf ins(%p0, %p1 : tensor<1x6x6x6xf32>, tensor<3x2x6x7xf32>) outs(%p2 : tensor<1x4x5x7xf32>) -> tensor<1x4x5x7xf32>
  return
}

func.func @f104(%p0: tensor<1x6x6x6xf32>, %p1: tensor<3x2x6x7xf32>, %p2: tensor<1x4x5x7xf32>) {
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%p0, %p1 : tensor<1x6x6x6xf32>, tensor<3x2x6x7xf32>) outs(%p2 : tensor<1x4x5x7xf32>) -> tensor<1x4x5x7xf32>
  return
}

func.func @f105(%p0: tensor<1x6x6x6xf32>, %p1: tensor<7x3x2x6xf32>, %p2: tensor<1x4x5x7xf32>) {
  %0 = linalg.conv_2d_nhwc_fhwc ins(%p0, %p1 : tensor<1x6x6x6xf32>, tensor<7x3x2x6xf32>) outs(%p2 : tensor<1x4x5x7xf32>) -> tensor<1x4x5x7xf32>
  return
}

func.func @f106(%p0: tensor<1x6x6x6xf32>, %p1: tensor<7x3x2x6xf32>, %p2: tensor<1x4x5x7xf32>) {
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%p0, %p1 : tensor<1x6x6x6xf32>, tensor<7x3x2x6xf32>) outs(%p2 : tensor<1x4x5x7xf32>) -> tensor<1x4x5x7xf32>
  return
}

func.func @f107(%p0: tensor<1x6x6x6xf32>, %p1: tensor<7x6x3x2xf32>, %p2: tensor<1x7x4x5xf32>) {
  %0 = linalg.conv_2d_nchw_fchw ins(%p0, %p1 : tensor<1x6x6x6xf32>, tensor<7x6x3x2xf32>) outs(%p2 : tensor<1x7x4x5xf32>) -> tensor<1x7x4x5xf32>
  return
}

func.func @f108(%p0: tensor<1x6x6x6xf32>, %p1: tensor<7x6x3x2xf32>, %p2: tensor<1x7x4x5xf32>) {
  %0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%p0, %p1 : tensor<1x6x6x6xf32>, tensor<7x6x3x2xf32>) outs(%p2 : tensor<1x7x4x5xf32>) -> tensor<1x7x4x5xf32>
  return
}

func.func @f109(%p0: tensor<1x2x6x6x6xf32>, %p1: tensor<7x2x6x3x2xf32>, %p2: tensor<1x2x7x4x5xf32>) {
  %0 = linalg.conv_2d_ngchw_fgchw ins(%p0, %p1 : tensor<1x2x6x6x6xf32>, tensor<7x2x6x3x2xf32>) outs(%p2 : tensor<1x2x7x4x5xf32>) -> tensor<1x2x7x4x5xf32>
  return
}

func.func @f110(%p0: tensor<1x2x6x6x6xf32>, %p1: tensor<7x2x6x3x2xf32>, %p2: tensor<1x2x7x4x5xf32>) {
  %0 = linalg.conv_2d_ngchw_fgchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%p0, %p1 : tensor<1x2x6x6x6xf32>, tensor<7x2x6x3x2xf32>) outs(%p2 : tensor<1x2x7x4x5xf32>) -> tensor<1x2x7x4x5xf32>
  return
}

func.func @f111(%p0: tensor<1x2x6x6x6xf32>, %p1: tensor<2x7x6x3x2xf32>, %p2: tensor<1x2x7x4x5xf32>) {
  %0 = linalg.conv_2d_ngchw_gfchw ins(%p0, %p1 : tensor<1x2x6x6x6xf32>, tensor<2x7x6x3x2xf32>) outs(%p2 : tensor<1x2x7x4x5xf32>) -> tensor<1x2x7x4x5xf32>
  return
}

func.func @f112(%p0: tensor<1x2x6x6x6xf32>, %p1: tensor<2x7x6x3x2xf32>, %p2: tensor<1x2x7x4x5xf32>) {
  %0 = linalg.conv_2d_ngchw_gfchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%p0, %p1 : tensor<1x2x6x6x6xf32>, tensor<2x7x6x3x2xf32>) outs(%p2 : tensor<1x2x7x4x5xf32>) -> tensor<1x2x7x4x5xf32>
  return
}

func.func @f113(%p0: tensor<1x6x6x2x6xf32>, %p1: tensor<2x7x3x2x6xf32>, %p2: tensor<1x4x5x2x7xf32>) {
  %0 = linalg.conv_2d_nhwgc_gfhwc ins(%p0, %p1 : tensor<1x6x6x2x6xf32>, tensor<2x7x3x2x6xf32>) outs(%p2 : tensor<1x4x5x2x7xf32>) -> tensor<1x4x5x2x7xf32>
  return
}

func.func @f114(%p0: tensor<1x6x6x2x6xf32>, %p1: tensor<2x7x3x2x6xf32>, %p2: tensor<1x4x5x2x7xf32>) {
  %0 = linalg.conv_2d_nhwgc_gfhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%p0, %p1 : tensor<1x6x6x2x6xf32>, tensor<2x7x3x2x6xf32>) outs(%p2 : tensor<1x4x5x2x7xf32>) -> tensor<1x4x5x2x7xf32>
  return
}

func.func @f115(%p0: tensor<1x6x6x6xf32>, %p1: tensor<3x2x6xf32>, %p2: tensor<1x4x5x6xf32>) {
  %0 = linalg.depthwise_conv_2d_nhwc_hwc ins(%p0, %p1 : tensor<1x6x6x6xf32>, tensor<3x2x6xf32>) outs(%p2 : tensor<1x4x5x6xf32>) -> tensor<1x4x5x6xf32>
  return
}

func.func @f116(%p0: tensor<1x6x6x6xf32>, %p1: tensor<3x2x6xf32>, %p2: tensor<1x4x5x6xf32>) {
  %0 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%p0, %p1 : tensor<1x6x6x6xf32>, tensor<3x2x6xf32>) outs(%p2 : tensor<1x4x5x6xf32>) -> tensor<1x4x5x6xf32>
  return
}

func.func @f117(%p0: tensor<1x6x6x6xf32>, %p1: tensor<6x3x2xf32>, %p2: tensor<1x6x4x5xf32>) {
  %0 = linalg.depthwise_conv_2d_nchw_chw ins(%p0, %p1 : tensor<1x6x6x6xf32>, tensor<6x3x2xf32>) outs(%p2 : tensor<1x6x4x5xf32>) -> tensor<1x6x4x5xf32>
  return
}

func.func @f118(%p0: tensor<1x6x6x6xf32>, %p1: tensor<6x3x2xf32>, %p2: tensor<1x6x4x5xf32>) {
  %0 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%p0, %p1 : tensor<1x6x6x6xf32>, tensor<6x3x2xf32>) outs(%p2 : tensor<1x6x4x5xf32>) -> tensor<1x6x4x5xf32>
  return
}

func.func @f119(%p0: tensor<1x6x6x6xf32>, %p1: tensor<3x2xf32>, %p2: tensor<1x4x5x6xf32>) {
  %0 = linalg.pooling_nhwc_sum ins(%p0, %p1 : tensor<1x6x6x6xf32>, tensor<3x2xf32>) outs(%p2 : tensor<1x4x5x6xf32>) -> tensor<1x4x5x6xf32>
  return
}

func.func @f120(%p0: tensor<1x6x6x6xf32>, %p1: tensor<3x2xf32>, %p2: tensor<1x4x5x6xf32>) {
  %0 = linalg.pooling_nhwc_sum {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%p0, %p1 : tensor<1x6x6x6xf32>, tensor<3x2xf32>) outs(%p2 : tensor<1x4x5x6xf32>) -> tensor<1x4x5x6xf32>
  return
}

func.func @f121(%p0: tensor<1x6x6x6xf32>, %p1: tensor<3x2xf32>, %p2: tensor<1x4x5x6xf32>) {
  %0 = linalg.pooling_nhwc_max ins(%p0, %p1 : tensor<1x6x6x6xf32>, tensor<3x2xf32>) outs(%p2 : tensor<1x4x5x6xf32>) -> tensor<1x4x5x6xf32>
  return
}

func.func @f122(%p0: tensor<1x6x6x6xf32>, %p1: tensor<3x2xf32>, %p2: tensor<1x4x5x6xf32>) {
  %0 = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%p0, %p1 : tensor<1x6x6x6xf32>, tensor<3x2xf32>) outs(%p2 : tensor<1x4x5x6xf32>) -> tensor<1x4x5x6xf32>
  return
}

func.func @f123(%p0: tensor<1x6x6x6xf32>, %p1: tensor<3x2xf32>, %p2: tensor<1x4x5x6xf32>) {
  %0 = linalg.pooling_nhwc_min ins(%p0, %p1 : tensor<1x6x6x6xf32>, tensor<3x2xf32>) outs(%p2 : tensor<1x4x5x6xf32>) -> tensor<1x4x5x6xf32>
  return
}

func.func @f124(%p0: tensor<1x6x6x6xf32>, %p1: tensor<3x2xf32>, %p2: tensor<1x4x5x6xf32>) {
  %0 = linalg.pooling_nhwc_min {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%p0, %p1 : tensor<1x6x6x6xf32>, tensor<3x2xf32>) outs(%p2 : tensor<1x4x5x6xf32>) -> tensor<1x4x5x6xf32>
  return
}

func.func @f125(%p0: tensor<1x6x6x6xf32>, %p1: tensor<3x2xf32>, %p2: tensor<1x6x4x5xf32>) {
  %0 = linalg.pooling_nchw_sum ins(%p0, %p1 : tensor<1x6x6x6xf32>, tensor<3x2xf32>) outs(%p2 : tensor<1x6x4x5xf32>) -> tensor<1x6x4x5xf32>
  return
}

func.func @f126(%p0: tensor<1x6x6x6xf32>, %p1: tensor<3x2xf32>, %p2: tensor<1x6x4x5xf32>) {
  %0 = linalg.pooling_nchw_sum {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%p0, %p1 : tensor<1x6x6x6xf32>, tensor<3x2xf32>) outs(%p2 : tensor<1x6x4x5xf32>) -> tensor<1x6x4x5xf32>
  return
}

func.func @f127(%p0: tensor<1x6x6x6xf32>, %p1: tensor<3x2xf32>, %p2: tensor<1x6x4x5xf32>) {
  %0 = linalg.pooling_nchw_max ins(%p0, %p1 : tensor<1x6x6x6xf32>, tensor<3x2xf32>) outs(%p2 : tensor<1x6x4x5xf32>) -> tensor<1x6x4x5xf32>
  return
}

func.func @f128(%p0: tensor<1x6x6x6xf32>, %p1: tensor<3x2xf32>, %p2: tensor<1x6x4x5xf32>) {
  %0 = linalg.pooling_nchw_max {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%p0, %p1 : tensor<1x6x6x6xf32>, tensor<3x2xf32>) outs(%p2 : tensor<1x6x4x5xf32>) -> tensor<1x6x4x5xf32>
  return
}

func.func @f129(%a: tensor<2x4x8xf32>, %b: tensor<2x8x4xf32>, %c: tensor<4x4xf32>) {
  %0 = linalg.batch_reduce_matmul ins(%a, %b : tensor<2x4x8xf32>, tensor<2x8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

func.func @f130(%p0: tensor<2x4x5xi8>, %p1: tensor<2x5x7xi8>, %p2: i32, %p3: i32, %p4: tensor<2x4x7xi32>) {
  %0 = linalg.quantized_batch_matmul ins(%p0, %p1, %p2, %p3 : tensor<2x4x5xi8>, tensor<2x5x7xi8>, i32, i32) outs(%p4 : tensor<2x4x7xi32>) -> tensor<2x4x7xi32>
  return
}

func.func @f131(%p0: tensor<4x6x6xf32>, %p1: tensor<2x3x2xf32>, %p2: tensor<3x4x5xf32>) {
  %0 = linalg.conv_3d ins(%p0, %p1 : tensor<4x6x6xf32>, tensor<2x3x2xf32>) outs(%p2 : tensor<3x4x5xf32>) -> tensor<3x4x5xf32>
  return
}

func.func @f132(%p0: tensor<1x4x6x6x6xf32>, %p1: tensor<2x3x2x6x7xf32>, %p2: tensor<1x3x4x5x7xf32>) {
  %0 = linalg.conv_3d_ndhwc_dhwcf ins(%p0, %p1 : tensor<1x4x6x6x6xf32>, tensor<2x3x2x6x7xf32>) outs(%p2 : tensor<1x3x4x5x7xf32>) -> tensor<1x3x4x5x7xf32>
  return
}

func.func @f133(%p0: tensor<1x4x6x6x6xf32>, %p1: tensor<2x3x2x6x7xf32>, %p2: tensor<1x3x4x5x7xf32>) {
  %0 = linalg.conv_3d_ndhwc_dhwcf {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%p0, %p1 : tensor<1x4x6x6x6xf32>, tensor<2x3x2x6x7xf32>) outs(%p2 : tensor<1x3x4x5x7xf32>) -> tensor<1x3x4x5x7xf32>
  return
}

func.func @f134(%p0: tensor<1x6x4x6x6xf32>, %p1: tensor<7x6x2x3x2xf32>, %p2: tensor<1x7x3x4x5xf32>) {
  %0 = linalg.conv_3d_ncdhw_fcdhw ins(%p0, %p1 : tensor<1x6x4x6x6xf32>, tensor<7x6x2x3x2xf32>) outs(%p2 : tensor<1x7x3x4x5xf32>) -> tensor<1x7x3x4x5xf32>
  return
}

func.func @f135(%p0: tensor<1x6x4x6x6xf32>, %p1: tensor<7x6x2x3x2xf32>, %p2: tensor<1x7x3x4x5xf32>) {
  %0 = linalg.conv_3d_ncdhw_fcdhw {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%p0, %p1 : tensor<1x6x4x6x6xf32>, tensor<7x6x2x3x2xf32>) outs(%p2 : tensor<1x7x3x4x5xf32>) -> tensor<1x7x3x4x5xf32>
  return
}

func.func @f136(%p0: tensor<1x6x6xf32>, %p1: tensor<2x6xf32>, %p2: tensor<1x5x6xf32>) {
  %0 = linalg.depthwise_conv_1d_nwc_wc ins(%p0, %p1 : tensor<1x6x6xf32>, tensor<2x6xf32>) outs(%p2 : tensor<1x5x6xf32>) -> tensor<1x5x6xf32>
  return
}

func.func @f137(%p0: tensor<1x6x6xf32>, %p1: tensor<2x6xf32>, %p2: tensor<1x5x6xf32>) {
  %0 = linalg.depthwise_conv_1d_nwc_wc {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%p0, %p1 : tensor<1x6x6xf32>, tensor<2x6xf32>) outs(%p2 : tensor<1x5x6xf32>) -> tensor<1x5x6xf32>
  return
}

func.func @f138(%p0: tensor<1x6x6xf32>, %p1: tensor<6x2xf32>, %p2: tensor<1x6x5xf32>) {
  %0 = linalg.depthwise_conv_1d_ncw_cw ins(%p0, %p1 : tensor<1x6x6xf32>, tensor<6x2xf32>) outs(%p2 : tensor<1x6x5xf32>) -> tensor<1x6x5xf32>
  return
}

func.func @f139(%p0: tensor<1x6x6xf32>, %p1: tensor<6x2xf32>, %p2: tensor<1x6x5xf32>) {
  %0 = linalg.depthwise_conv_1d_ncw_cw {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%p0, %p1 : tensor<1x6x6xf32>, tensor<6x2xf32>) outs(%p2 : tensor<1x6x5xf32>) -> tensor<1x6x5xf32>
  return
}

func.func @f140(%p0: tensor<1x6x6xf32>, %p1: tensor<2x6x3xf32>, %p2: tensor<1x5x6x3xf32>) {
  %0 = linalg.depthwise_conv_1d_nwc_wcm ins(%p0, %p1 : tensor<1x6x6xf32>, tensor<2x6x3xf32>) outs(%p2 : tensor<1x5x6x3xf32>) -> tensor<1x5x6x3xf32>
  return
}

func.func @f141(%p0: tensor<1x6x6xf32>, %p1: tensor<2x6x3xf32>, %p2: tensor<1x5x6x3xf32>) {
  %0 = linalg.depthwise_conv_1d_nwc_wcm {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%p0, %p1 : tensor<1x6x6xf32>, tensor<2x6x3xf32>) outs(%p2 : tensor<1x5x6x3xf32>) -> tensor<1x5x6x3xf32>
  return
}

func.func @f142(%p0: tensor<1x6x6x6xf32>, %p1: tensor<3x2x6x3xf32>, %p2: tensor<1x4x5x6x3xf32>) {
  %0 = linalg.depthwise_conv_2d_nhwc_hwcm ins(%p0, %p1 : tensor<1x6x6x6xf32>, tensor<3x2x6x3xf32>) outs(%p2 : tensor<1x4x5x6x3xf32>) -> tensor<1x4x5x6x3xf32>
  return
}

func.func @f143(%p0: tensor<1x6x6x6xf32>, %p1: tensor<3x2x6x3xf32>, %p2: tensor<1x4x5x6x3xf32>) {
  %0 = linalg.depthwise_conv_2d_nhwc_hwcm {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%p0, %p1 : tensor<1x6x6x6xf32>, tensor<3x2x6x3xf32>) outs(%p2 : tensor<1x4x5x6x3xf32>) -> tensor<1x4x5x6x3xf32>
  return
}

func.func @f144(%p0: tensor<1x4x6x6x6xf32>, %p1: tensor<2x3x2x6xf32>, %p2: tensor<1x3x4x5x6xf32>) {
  %0 = linalg.depthwise_conv_3d_ndhwc_dhwc ins(%p0, %p1 : tensor<1x4x6x6x6xf32>, tensor<2x3x2x6xf32>) outs(%p2 : tensor<1x3x4x5x6xf32>) -> tensor<1x3x4x5x6xf32>
  return
}

func.func @f145(%p0: tensor<1x4x6x6x6xf32>, %p1: tensor<2x3x2x6xf32>, %p2: tensor<1x3x4x5x6xf32>) {
  %0 = linalg.depthwise_conv_3d_ndhwc_dhwc {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%p0, %p1 : tensor<1x4x6x6x6xf32>, tensor<2x3x2x6xf32>) outs(%p2 : tensor<1x3x4x5x6xf32>) -> tensor<1x3x4x5x6xf32>
  return
}

func.func @f146(%p0: tensor<1x6x4x6x6xf32>, %p1: tensor<6x2x3x2xf32>, %p2: tensor<1x6x3x4x5xf32>) {
  %0 = linalg.depthwise_conv_3d_ncdhw_cdhw ins(%p0, %p1 : tensor<1x6x4x6x6xf32>, tensor<6x2x3x2xf32>) outs(%p2 : tensor<1x6x3x4x5xf32>) -> tensor<1x6x3x4x5xf32>
  return
}

func.func @f147(%p0: tensor<1x6x4x6x6xf32>, %p1: tensor<6x2x3x2xf32>, %p2: tensor<1x6x3x4x5xf32>) {
  %0 = linalg.depthwise_conv_3d_ncdhw_cdhw {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%p0, %p1 : tensor<1x6x4x6x6xf32>, tensor<6x2x3x2xf32>) outs(%p2 : tensor<1x6x3x4x5xf32>) -> tensor<1x6x3x4x5xf32>
  return
}

func.func @f148(%p0: tensor<1x4x6x6x6xf32>, %p1: tensor<2x3x2x6x3xf32>, %p2: tensor<1x3x4x5x6x3xf32>) {
  %0 = linalg.depthwise_conv_3d_ndhwc_dhwcm ins(%p0, %p1 : tensor<1x4x6x6x6xf32>, tensor<2x3x2x6x3xf32>) outs(%p2 : tensor<1x3x4x5x6x3xf32>) -> tensor<1x3x4x5x6x3xf32>
  return
}

func.func @f149(%p0: tensor<1x4x6x6x6xf32>, %p1: tensor<2x3x2x6x3xf32>, %p2: tensor<1x3x4x5x6x3xf32>) {
  %0 = linalg.depthwise_conv_3d_ndhwc_dhwcm {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%p0, %p1 : tensor<1x4x6x6x6xf32>, tensor<2x3x2x6x3xf32>) outs(%p2 : tensor<1x3x4x5x6x3xf32>) -> tensor<1x3x4x5x6x3xf32>
  return
}

func.func @f150(%p0: tensor<1x6x6xf32>, %p1: tensor<2xf32>, %p2: tensor<1x5x6xf32>) {
  %0 = linalg.pooling_nwc_sum ins(%p0, %p1 : tensor<1x6x6xf32>, tensor<2xf32>) outs(%p2 : tensor<1x5x6xf32>) -> tensor<1x5x6xf32>
  return
}

func.func @f151(%p0: tensor<1x6x6xf32>, %p1: tensor<2xf32>, %p2: tensor<1x5x6xf32>) {
  %0 = linalg.pooling_nwc_sum {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%p0, %p1 : tensor<1x6x6xf32>, tensor<2xf32>) outs(%p2 : tensor<1x5x6xf32>) -> tensor<1x5x6xf32>
  return
}

func.func @f152(%p0: tensor<1x6x6xf32>, %p1: tensor<2xf32>, %p2: tensor<1x5x6xf32>) {
  %0 = linalg.pooling_nwc_max ins(%p0, %p1 : tensor<1x6x6xf32>, tensor<2xf32>) outs(%p2 : tensor<1x5x6xf32>) -> tensor<1x5x6xf32>
  return
}

func.func @f153(%p0: tensor<1x6x6xf32>, %p1: tensor<2xf32>, %p2: tensor<1x5x6xf32>) {
  %0 = linalg.pooling_nwc_max {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%p0, %p1 : tensor<1x6x6xf32>, tensor<2xf32>) outs(%p2 : tensor<1x5x6xf32>) -> tensor<1x5x6xf32>
  return
}

func.func @f154(%p0: tensor<1x6x6xi32>, %p1: tensor<2xi32>, %p2: tensor<1x5x6xi32>) {
  %0 = linalg.pooling_nwc_max_unsigned ins(%p0, %p1 : tensor<1x6x6xi32>, tensor<2xi32>) outs(%p2 : tensor<1x5x6xi32>) -> tensor<1x5x6xi32>
  return
}

func.func @f155(%p0: tensor<1x6x6xi32>, %p1: tensor<2xi32>, %p2: tensor<1x5x6xi32>) {
  %0 = linalg.pooling_nwc_max_unsigned {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%p0, %p1 : tensor<1x6x6xi32>, tensor<2xi32>) outs(%p2 : tensor<1x5x6xi32>) -> tensor<1x5x6xi32>
  return
}

func.func @f156(%p0: tensor<1x6x6xf32>, %p1: tensor<2xf32>, %p2: tensor<1x5x6xf32>) {
  %0 = linalg.pooling_nwc_min ins(%p0, %p1 : tensor<1x6x6xf32>, tensor<2xf32>) outs(%p2 : tensor<1x5x6xf32>) -> tensor<1x5x6xf32>
  return
}

func.func @f157(%p0: tensor<1x6x6xf32>, %p1: tensor<2xf32>, %p2: tensor<1x5x6xf32>) {
  %0 = linalg.pooling_nwc_min {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%p0, %p1 : tensor<1x6x6xf32>, tensor<2xf32>) outs(%p2 : tensor<1x5x6xf32>) -> tensor<1x5x6xf32>
  return
}

func.func @f158(%p0: tensor<1x6x6xi32>, %p1: tensor<2xi32>, %p2: tensor<1x5x6xi32>) {
  %0 = linalg.pooling_nwc_min_unsigned ins(%p0, %p1 : tensor<1x6x6xi32>, tensor<2xi32>) outs(%p2 : tensor<1x5x6xi32>) -> tensor<1x5x6xi32>
  return
}

func.func @f159(%p0: tensor<1x6x6xi32>, %p1: tensor<2xi32>, %p2: tensor<1x5x6xi32>) {
  %0 = linalg.pooling_nwc_min_unsigned {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%p0, %p1 : tensor<1x6x6xi32>, tensor<2xi32>) outs(%p2 : tensor<1x5x6xi32>) -> tensor<1x5x6xi32>
  return
}

func.func @f160(%p0: tensor<1x6x6xf32>, %p1: tensor<2xf32>, %p2: tensor<1x6x5xf32>) {
  %0 = linalg.pooling_ncw_sum ins(%p0, %p1 : tensor<1x6x6xf32>, tensor<2xf32>) outs(%p2 : tensor<1x6x5xf32>) -> tensor<1x6x5xf32>
  return
}

func.func @f161(%p0: tensor<1x6x6xf32>, %p1: tensor<2xf32>, %p2: tensor<1x6x5xf32>) {
  %0 = linalg.pooling_ncw_sum {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%p0, %p1 : tensor<1x6x6xf32>, tensor<2xf32>) outs(%p2 : tensor<1x6x5xf32>) -> tensor<1x6x5xf32>
  return
}

func.func @f162(%p0: tensor<1x6x6xf32>, %p1: tensor<2xf32>, %p2: tensor<1x6x5xf32>) {
  %0 = linalg.pooling_ncw_max ins(%p0, %p1 : tensor<1x6x6xf32>, tensor<2xf32>) outs(%p2 : tensor<1x6x5xf32>) -> tensor<1x6x5xf32>
  return
}

func.func @f163(%p0: tensor<1x6x6xf32>, %p1: tensor<2xf32>, %p2: tensor<1x6x5xf32>) {
  %0 = linalg.pooling_ncw_max {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%p0, %p1 : tensor<1x6x6xf32>, tensor<2xf32>) outs(%p2 : tensor<1x6x5xf32>) -> tensor<1x6x5xf32>
  return
}

func.func @f164(%p0: tensor<1x6x6x6xi32>, %p1: tensor<3x2xi32>, %p2: tensor<1x4x5x6xi32>) {
  %0 = linalg.pooling_nhwc_max_unsigned ins(%p0, %p1 : tensor<1x6x6x6xi32>, tensor<3x2xi32>) outs(%p2 : tensor<1x4x5x6xi32>) -> tensor<1x4x5x6xi32>
  return
}

func.func @f165(%p0: tensor<1x6x6x6xi32>, %p1: tensor<3x2xi32>, %p2: tensor<1x4x5x6xi32>) {
  %0 = linalg.pooling_nhwc_max_unsigned {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%p0, %p1 : tensor<1x6x6x6xi32>, tensor<3x2xi32>) outs(%p2 : tensor<1x4x5x6xi32>) -> tensor<1x4x5x6xi32>
  return
}

func.func @f166(%p0: tensor<1x6x6x6xi32>, %p1: tensor<3x2xi32>, %p2: tensor<1x4x5x6xi32>) {
  %0 = linalg.pooling_nhwc_min_unsigned ins(%p0, %p1 : tensor<1x6x6x6xi32>, tensor<3x2xi32>) outs(%p2 : tensor<1x4x5x6xi32>) -> tensor<1x4x5x6xi32>
  return
}

func.func @f167(%p0: tensor<1x6x6x6xi32>, %p1: tensor<3x2xi32>, %p2: tensor<1x4x5x6xi32>) {
  %0 = linalg.pooling_nhwc_min_unsigned {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%p0, %p1 : tensor<1x6x6x6xi32>, tensor<3x2xi32>) outs(%p2 : tensor<1x4x5x6xi32>) -> tensor<1x4x5x6xi32>
  return
}

func.func @f168(%p0: tensor<1x4x6x6x6xf32>, %p1: tensor<2x3x2xf32>, %p2: tensor<1x3x4x5x6xf32>) {
  %0 = linalg.pooling_ndhwc_sum ins(%p0, %p1 : tensor<1x4x6x6x6xf32>, tensor<2x3x2xf32>) outs(%p2 : tensor<1x3x4x5x6xf32>) -> tensor<1x3x4x5x6xf32>
  return
}

func.func @f169(%p0: tensor<1x4x6x6x6xf32>, %p1: tensor<2x3x2xf32>, %p2: tensor<1x3x4x5x6xf32>) {
  %0 = linalg.pooling_ndhwc_sum {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%p0, %p1 : tensor<1x4x6x6x6xf32>, tensor<2x3x2xf32>) outs(%p2 : tensor<1x3x4x5x6xf32>) -> tensor<1x3x4x5x6xf32>
  return
}

func.func @f170(%p0: tensor<1x4x6x6x6xf32>, %p1: tensor<2x3x2xf32>, %p2: tensor<1x3x4x5x6xf32>) {
  %0 = linalg.pooling_ndhwc_max ins(%p0, %p1 : tensor<1x4x6x6x6xf32>, tensor<2x3x2xf32>) outs(%p2 : tensor<1x3x4x5x6xf32>) -> tensor<1x3x4x5x6xf32>
  return
}

func.func @f171(%p0: tensor<1x4x6x6x6xf32>, %p1: tensor<2x3x2xf32>, %p2: tensor<1x3x4x5x6xf32>) {
  %0 = linalg.pooling_ndhwc_max {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%p0, %p1 : tensor<1x4x6x6x6xf32>, tensor<2x3x2xf32>) outs(%p2 : tensor<1x3x4x5x6xf32>) -> tensor<1x3x4x5x6xf32>
  return
}

func.func @f172(%p0: tensor<1x4x6x6x6xf32>, %p1: tensor<2x3x2xf32>, %p2: tensor<1x3x4x5x6xf32>) {
  %0 = linalg.pooling_ndhwc_min ins(%p0, %p1 : tensor<1x4x6x6x6xf32>, tensor<2x3x2xf32>) outs(%p2 : tensor<1x3x4x5x6xf32>) -> tensor<1x3x4x5x6xf32>
  return
}

func.func @f173(%p0: tensor<1x4x6x6x6xf32>, %p1: tensor<2x3x2xf32>, %p2: tensor<1x3x4x5x6xf32>) {
  %0 = linalg.pooling_ndhwc_min {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%p0, %p1 : tensor<1x4x6x6x6xf32>, tensor<2x3x2xf32>) outs(%p2 : tensor<1x3x4x5x6xf32>) -> tensor<1x3x4x5x6xf32>
  return
}

func.func @f174(%p0: tensor<1x6x6x6xi8>, %p1: tensor<3x2x6x7xi8>, %p2: i32, %p3: i32, %p4: tensor<1x4x5x7xi32>) {
  %0 = linalg.conv_2d_nhwc_hwcf_q ins(%p0, %p1, %p2, %p3 : tensor<1x6x6x6xi8>, tensor<3x2x6x7xi8>, i32, i32) outs(%p4 : tensor<1x4x5x7xi32>) -> tensor<1x4x5x7xi32>
  return
}

func.func @f175(%p0: tensor<1x6x6x6xi8>, %p1: tensor<3x2x6x7xi8>, %p2: i32, %p3: i32, %p4: tensor<1x4x5x7xi32>) {
  %0 = linalg.conv_2d_nhwc_hwcf_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%p0, %p1, %p2, %p3 : tensor<1x6x6x6xi8>, tensor<3x2x6x7xi8>, i32, i32) outs(%p4 : tensor<1x4x5x7xi32>) -> tensor<1x4x5x7xi32>
  return
}

func.func @f176(%p0: tensor<1x6x6x6xi8>, %p1: tensor<7x3x2x6xi8>, %p2: i32, %p3: i32, %p4: tensor<1x4x5x7xi32>) {
  %0 = linalg.conv_2d_nhwc_fhwc_q ins(%p0, %p1, %p2, %p3 : tensor<1x6x6x6xi8>, tensor<7x3x2x6xi8>, i32, i32) outs(%p4 : tensor<1x4x5x7xi32>) -> tensor<1x4x5x7xi32>
  return
}

func.func @f177(%p0: tensor<1x6x6x6xi8>, %p1: tensor<7x3x2x6xi8>, %p2: i32, %p3: i32, %p4: tensor<1x4x5x7xi32>) {
  %0 = linalg.conv_2d_nhwc_fhwc_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%p0, %p1, %p2, %p3 : tensor<1x6x6x6xi8>, tensor<7x3x2x6xi8>, i32, i32) outs(%p4 : tensor<1x4x5x7xi32>) -> tensor<1x4x5x7xi32>
  return
}

func.func @f178(%p0: tensor<1x6x6x6xi8>, %p1: tensor<7x6x3x2xi8>, %p2: i32, %p3: i32, %p4: tensor<1x7x4x5xi32>) {
  %0 = linalg.conv_2d_nchw_fchw_q ins(%p0, %p1, %p2, %p3 : tensor<1x6x6x6xi8>, tensor<7x6x3x2xi8>, i32, i32) outs(%p4 : tensor<1x7x4x5xi32>) -> tensor<1x7x4x5xi32>
  return
}

func.func @f179(%p0: tensor<1x6x6x6xi8>, %p1: tensor<7x6x3x2xi8>, %p2: i32, %p3: i32, %p4: tensor<1x7x4x5xi32>) {
  %0 = linalg.conv_2d_nchw_fchw_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%p0, %p1, %p2, %p3 : tensor<1x6x6x6xi8>, tensor<7x6x3x2xi8>, i32, i32) outs(%p4 : tensor<1x7x4x5xi32>) -> tensor<1x7x4x5xi32>
  return
}

func.func @f180(%p0: tensor<1x2x6x6x6xi8>, %p1: tensor<2x7x6x3x2xi8>, %p2: i32, %p3: i32, %p4: tensor<1x2x7x4x5xi32>) {
  %0 = linalg.conv_2d_ngchw_gfchw_q ins(%p0, %p1, %p2, %p3 : tensor<1x2x6x6x6xi8>, tensor<2x7x6x3x2xi8>, i32, i32) outs(%p4 : tensor<1x2x7x4x5xi32>) -> tensor<1x2x7x4x5xi32>
  return
}

func.func @f181(%p0: tensor<1x2x6x6x6xi8>, %p1: tensor<2x7x6x3x2xi8>, %p2: i32, %p3: i32, %p4: tensor<1x2x7x4x5xi32>) {
  %0 = linalg.conv_2d_ngchw_gfchw_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%p0, %p1, %p2, %p3 : tensor<1x2x6x6x6xi8>, tensor<2x7x6x3x2xi8>, i32, i32) outs(%p4 : tensor<1x2x7x4x5xi32>) -> tensor<1x2x7x4x5xi32>
  return
}

func.func @f182(%p0: tensor<1x6x6x2x6xi8>, %p1: tensor<2x7x3x2x6xi8>, %p2: i32, %p3: i32, %p4: tensor<1x4x5x2x7xi32>) {
  %0 = linalg.conv_2d_nhwgc_gfhwc_q ins(%p0, %p1, %p2, %p3 : tensor<1x6x6x2x6xi8>, tensor<2x7x3x2x6xi8>, i32, i32) outs(%p4 : tensor<1x4x5x2x7xi32>) -> tensor<1x4x5x2x7xi32>
  return
}

func.func @f183(%p0: tensor<1x6x6x2x6xi8>, %p1: tensor<2x7x3x2x6xi8>, %p2: i32, %p3: i32, %p4: tensor<1x4x5x2x7xi32>) {
  %0 = linalg.conv_2d_nhwgc_gfhwc_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%p0, %p1, %p2, %p3 : tensor<1x6x6x2x6xi8>, tensor<2x7x3x2x6xi8>, i32, i32) outs(%p4 : tensor<1x4x5x2x7xi32>) -> tensor<1x4x5x2x7xi32>
  return
}

func.func @f184(%p0: tensor<1x4x6x6x6xi8>, %p1: tensor<2x3x2x6x7xi8>, %p2: i32, %p3: i32, %p4: tensor<1x3x4x5x7xi32>) {
  %0 = linalg.conv_3d_ndhwc_dhwcf_q ins(%p0, %p1, %p2, %p3 : tensor<1x4x6x6x6xi8>, tensor<2x3x2x6x7xi8>, i32, i32) outs(%p4 : tensor<1x3x4x5x7xi32>) -> tensor<1x3x4x5x7xi32>
  return
}

func.func @f185(%p0: tensor<1x4x6x6x6xi8>, %p1: tensor<2x3x2x6x7xi8>, %p2: i32, %p3: i32, %p4: tensor<1x3x4x5x7xi32>) {
  %0 = linalg.conv_3d_ndhwc_dhwcf_q {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%p0, %p1, %p2, %p3 : tensor<1x4x6x6x6xi8>, tensor<2x3x2x6x7xi8>, i32, i32) outs(%p4 : tensor<1x3x4x5x7xi32>) -> tensor<1x3x4x5x7xi32>
  return
}

func.func @f186(%p0: tensor<1x6x6x6xi8>, %p1: tensor<3x2x6xi8>, %p2: i32, %p3: i32, %p4: tensor<1x4x5x6xi32>) {
  %0 = linalg.depthwise_conv_2d_nhwc_hwc_q ins(%p0, %p1, %p2, %p3 : tensor<1x6x6x6xi8>, tensor<3x2x6xi8>, i32, i32) outs(%p4 : tensor<1x4x5x6xi32>) -> tensor<1x4x5x6xi32>
  return
}

func.func @f187(%p0: tensor<1x6x6x6xi8>, %p1: tensor<3x2x6xi8>, %p2: i32, %p3: i32, %p4: tensor<1x4x5x6xi32>) {
  %0 = linalg.depthwise_conv_2d_nhwc_hwc_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%p0, %p1, %p2, %p3 : tensor<1x6x6x6xi8>, tensor<3x2x6xi8>, i32, i32) outs(%p4 : tensor<1x4x5x6xi32>) -> tensor<1x4x5x6xi32>
  return
}

func.func @f188(%p0: tensor<1x6x6x6xi8>, %p1: tensor<3x2x6x3xi8>, %p2: i32, %p3: i32, %p4: tensor<1x4x5x6x3xi32>) {
  %0 = linalg.depthwise_conv_2d_nhwc_hwcm_q ins(%p0, %p1, %p2, %p3 : tensor<1x6x6x6xi8>, tensor<3x2x6x3xi8>, i32, i32) outs(%p4 : tensor<1x4x5x6x3xi32>) -> tensor<1x4x5x6x3xi32>
  return
}

func.func @f189(%p0: tensor<1x6x6x6xi8>, %p1: tensor<3x2x6x3xi8>, %p2: i32, %p3: i32, %p4: tensor<1x4x5x6x3xi32>) {
  %0 = linalg.depthwise_conv_2d_nhwc_hwcm_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%p0, %p1, %p2, %p3 : tensor<1x6x6x6xi8>, tensor<3x2x6x3xi8>, i32, i32) outs(%p4 : tensor<1x4x5x6x3xi32>) -> tensor<1x4x5x6x3xi32>
  return
}

#rows = {doc = "sums of rows", indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"], tag}

func.func @f190(%p0: tensor<4x8xf32>, %p1: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic #rows ins(%p0 : tensor<4x8xf32>) outs(%p1 : tensor<4xf32>) {
  ^bb0(%x: f32, %sum: f32):
    %1 = arith.addf %x, %sum : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @f193(%low: f64, %high: f64, %seed: i32, %p0: tensor<4x8xf32>, %p1: vector<4xf16>, %p2: tensor<8xvector<4xf16>>) {
  %0 = linalg.fill_rng_2d ins(%low, %high, %seed : f64, f64, i32) outs(%p0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = linalg.fill ins(%p1 : vector<4xf16>) outs(%p2 : tensor<8xvector<4xf16>>) -> tensor<8xvector<4xf16>>
  return
}

func.func @f194(%p0: tensor<2x3x1x5xf32>, %p1: tensor<4x1x5x2xf32>, %p2: tensor<?x10x?x5xf32>, %p3: tensor<4x4x4x?x?x5xf32>, %p4: tensor<4x4x2x3x7x2xf32>, %p5: tensor<7x4x6x2xf32>) {
  %0 = linalg.winograd_filter_transform fmr(F_2_3) ins(%p0 : tensor<2x3x1x5xf32>) outs(%p1 : tensor<4x1x5x2xf32>) -> tensor<4x1x5x2xf32>
  %1 = linalg.winograd_input_transform fmr(F_2_3) ins(%p2 : tensor<?x10x?x5xf32>) outs(%p3 : tensor<4x4x4x?x?x5xf32>) -> tensor<4x4x4x?x?x5xf32>
  %2 = linalg.winograd_output_transform {tag} fmr(F_2_3) ins(%p4 : tensor<4x4x2x3x7x2xf32>) outs(%p5 : tensor<7x4x6x2xf32>) -> tensor<7x4x6x2xf32>
  return
}

func.func @f195(%p0: tensor<4x8xi1>, %p1: tensor<8x4xi1>, %p2: tensor<4x4xi1>, %p3: tensor<0xf32>) {
  %0 = linalg.matmul ins(%p0, %p1 : tensor<4x8xi1>, tensor<8x4xi1>) outs(%p2 : tensor<4x4xi1>) -> tensor<4x4xi1>
  %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%p3 : tensor<0xf32>) {
  ^bb0(%x: f32):
    linalg.yield %x : f32
  } -> tensor<0xf32>
  return
}
