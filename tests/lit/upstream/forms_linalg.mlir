// Forms of the linalg operations, compared with an independent MLIR in tests/ir/test_independent_mlir.py.
// RUN: %headrace-opt %s --allow-unregistered-dialect > %t.1
// RUN: %headrace-opt %t.1 --allow-unregistered-dialect > %t.2 && diff %t.1 %t.2
// RUN: %headrace-opt %s --allow-unregistered-dialect --mlir-print-op-generic | %headrace-opt --allow-unregistered-dialect > %t.3 && diff %t.1 %t.3
// RUN: %headrace-opt %s --allow-unregistered-dialect --mlir-print-debuginfo | %headrace-opt --allow-unregistered-dialect > %t.4 && diff %t.1 %t.4

#m = affine_map<(d0, d1) -> (d0, d1)>
#r = affine_map<(d0, d1) -> (d0)>
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>, %c: tensor<4x8xi1>, %x: f32, %v: tensor<4xf32>, %h: tensor<4x8xf16>, %k: tensor<8x4xf16>, %i: tensor<4x8xi32>, %mm: memref<4x8xf32>, %bb: tensor<2x4x8xf16>, %bk: tensor<2x8x4xf16>, %q: tensor<?x8xf32>) {
  %e = tensor.empty() : tensor<4x8xf32>
  %o = tensor.empty() : tensor<4x4xf32>
  %p = tensor.empty() : tensor<2x4x4xf32>
  %t = tensor.empty() : tensor<8x4xf32>
  %s = tensor.empty() : tensor<f32>
  %q1 = tensor.empty() : tensor<8xf32>
  %u0 = linalg.exp ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %u1 = linalg.log ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %u2 = linalg.abs ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %u3 = linalg.ceil ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %u4 = linalg.floor ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %u5 = linalg.negf ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %u6 = linalg.reciprocal ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %u7 = linalg.round ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %u8 = linalg.sqrt ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %u9 = linalg.rsqrt ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %u10 = linalg.square ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %u11 = linalg.tanh ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %u12 = linalg.erf ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %b0 = linalg.add ins(%a, %b : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %b1 = linalg.sub ins(%a, %b : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %b2 = linalg.mul ins(%a, %b : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %b3 = linalg.div ins(%a, %b : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %b4 = linalg.max ins(%a, %b : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %b5 = linalg.min ins(%a, %b : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %b6 = linalg.powf ins(%a, %b : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %bi0 = linalg.add ins(%i, %i : tensor<4x8xi32>, tensor<4x8xi32>) outs(%i : tensor<4x8xi32>) -> tensor<4x8xi32>
  %bi1 = linalg.sub ins(%i, %i : tensor<4x8xi32>, tensor<4x8xi32>) outs(%i : tensor<4x8xi32>) -> tensor<4x8xi32>
  %bi2 = linalg.mul ins(%i, %i : tensor<4x8xi32>, tensor<4x8xi32>) outs(%i : tensor<4x8xi32>) -> tensor<4x8xi32>
  %bi3 = linalg.div ins(%i, %i : tensor<4x8xi32>, tensor<4x8xi32>) outs(%i : tensor<4x8xi32>) -> tensor<4x8xi32>
  %bi4 = linalg.div_unsigned ins(%i, %i : tensor<4x8xi32>, tensor<4x8xi32>) outs(%i : tensor<4x8xi32>) -> tensor<4x8xi32>
  %bi5 = linalg.max ins(%i, %i : tensor<4x8xi32>, tensor<4x8xi32>) outs(%i : tensor<4x8xi32>) -> tensor<4x8xi32>
  %bi6 = linalg.min ins(%i, %i : tensor<4x8xi32>, tensor<4x8xi32>) outs(%i : tensor<4x8xi32>) -> tensor<4x8xi32>
  linalg.add ins(%mm, %mm : memref<4x8xf32>, memref<4x8xf32>) outs(%mm : memref<4x8xf32>)
  %s0 = linalg.select ins(%c, %a, %b : tensor<4x8xi1>, tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %s1 = linalg.copy ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %s2 = linalg.fill ins(%x : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  linalg.fill ins(%x : f32) outs(%mm : memref<4x8xf32>)
  %s3 = linalg.matmul ins(%h, %k : tensor<4x8xf16>, tensor<8x4xf16>) outs(%o : tensor<4x4xf32>) -> tensor<4x4xf32>
  %s4 = linalg.batch_matmul ins(%bb, %bk : tensor<2x4x8xf16>, tensor<2x8x4xf16>) outs(%p : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  %tr = linalg.transpose ins(%a : tensor<4x8xf32>) outs(%t : tensor<8x4xf32>) permutation = [1, 0]
  %br = linalg.broadcast ins(%v : tensor<4xf32>) outs(%e : tensor<4x8xf32>) dimensions = [1]
  %re = linalg.reduce { arith.addf } ins(%a : tensor<4x8xf32>) outs(%v : tensor<4xf32>) dimensions = [1]
  %re1 = linalg.reduce { arith.addf {fastmath = #arith.fastmath<fast>} } ins(%a : tensor<4x8xf32>) outs(%v : tensor<4xf32>) dimensions = [1]
  %re2:2 = linalg.reduce ins(%a, %b : tensor<4x8xf32>, tensor<4x8xf32>) outs(%v, %v : tensor<4xf32>, tensor<4xf32>) dimensions = [1]
    (%i0: f32, %i1: f32, %o0: f32, %o1: f32) {
      %y = arith.addf %i0, %o0 : f32
      %z = arith.addf %i1, %o1 : f32
      linalg.yield %y, %z : f32, f32
    }
  %re3 = linalg.reduce { arith.maximumf } ins(%a : tensor<4x8xf32>) outs(%s : tensor<f32>) dimensions = [0, 1]
  %ma = linalg.map { arith.addf } ins(%a, %b : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>)
  %ma2 = linalg.map ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) (%in: f32, %oo : f32) { %y = math.exp %in : f32
     linalg.yield %y : f32 }
  %g = linalg.generic {indexing_maps = [#m, #m, #r], iterator_types = ["parallel", "reduction"]} ins(%a, %b : tensor<4x8xf32>, tensor<4x8xf32>) outs(%v : tensor<4xf32>) {
  ^bb0(%x0: f32, %x1: f32, %acc: f32):
    %i0 = linalg.index 1 : index
    %y = arith.mulf %x0, %x1 : f32
    %z = arith.addf %acc, %y : f32
    linalg.yield %z : f32
  } -> tensor<4xf32>
  %g2:2 = linalg.generic {doc = "hi", indexing_maps = [#m, #m, #m], iterator_types = ["parallel", "parallel"], library_call = "lib"} ins(%a : tensor<4x8xf32>) outs(%e, %e : tensor<4x8xf32>, tensor<4x8xf32>) attrs = {u} {
  ^bb0(%x0: f32, %a0: f32, %a1: f32):
    linalg.yield %x0, %x0 : f32, f32
  } -> (tensor<4x8xf32>, tensor<4x8xf32>)
  linalg.generic {indexing_maps = [#m], iterator_types = ["parallel", "parallel"]} outs(%mm : memref<4x8xf32>) {
  ^bb0(%x0: f32):
    linalg.yield %x0 : f32
  }
  return
}
