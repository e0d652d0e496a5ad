// More forms of math; an independent MLIR accepts and prints each of them the same way.
// RUN: %headrace-opt %s --allow-unregistered-dialect > %t.1
// RUN: %headrace-opt %t.1 --allow-unregistered-dialect > %t.2 && diff %t.1 %t.2
// RUN: %headrace-opt %s --allow-unregistered-dialect --mlir-print-op-generic | %headrace-opt --allow-unregistered-dialect > %t.3 && diff %t.1 %t.3
// RUN: %headrace-opt %s --allow-unregistered-dialect --mlir-print-debuginfo | %headrace-opt --allow-unregistered-dialect > %t.4 && diff %t.1 %t.4

func.func @f0(%x: f32) {
  %0 = math.exp %x : f32
  return
}

func.func @f1(%t: tensor<4xf32>) {
  %0 = math.exp %t fastmath<fast> : tensor<4xf32>
  return
}

func.func @f2(%a: i32) {
  %0 = math.absi %a : i32
  return
}

func.func @f3(%x: f32) {
  %0 = math.absf %x : f32
  return
}

func.func @f4(%x: f32, %y: f32) {
  %0 = math.powf %x, %y : f32
  return
}

func.func @f5(%x: f32, %y: f32) {
  %0 = math.fma %x, %y, %x : f32
  return
}

func.func @f6(%a: i32, %x: f32) {
  %0 = math.fpowi %x, %a : f32, i32
  return
}

func.func @f7(%a: i32, %b: i32) {
  %0 = math.ipowi %a, %b : i32
  return
}

func.func @f8(%a: i32) {
  %0 = math.ctlz %a : i32
  return
}

func.func @f9(%ti: tensor<4xi32>) {
  %0 = math.cttz %ti : tensor<4xi32>
  return
}

func.func @f10(%x: f32) {
  %0 = math.isnan %x : f32
  return
}

func.func @f11(%t: tensor<4xf32>) {
  %0 = math.isinf %t : tensor<4xf32>
  return
}

func.func @f12(%x: f32) {
  %0 = math.isnormal %x : f32
  return
}

func.func @f13(%x: f32, %y: f32) {
  %0 = math.atan2 %x, %y : f32
  return
}

func.func @f14(%x: f32, %y: f32) {
  %0 = math.copysign %x, %y : f32
  return
}

func.func @f15(%x: f32, %y: f32) {
  %0 = math.clampf %x to [%x, %y] : f32
  return
}

func.func @f16(%x: f32) {
  %0:2 = math.sincos %x : f32
  return
}

func.func @f17(%x: f32) {
  %0 = math.roundeven %x : f32
  return
}

func.func @f18(%x: f32) {
  %0 = math.trunc %x : f32
  return
}

func.func @f19(%t: tensor<4xf32>) {
  %0 = math.rsqrt %t : tensor<4xf32>
  return
}

func.func @f20(%td: tensor<?xf32>) {
  %0 = math.exp %td : tensor<?xf32>
  return
}

func.func @f21(%x: f32) {
  %0 = math.absf %x : f32
  return
}

func.func @f22(%t: tensor<4xf32>) {
  %0 = math.absf %t fastmath<nnan> : tensor<4xf32>
  return
}

func.func @f23(%x: f32) {
  %0 = math.acos %x : f32
  return
}

func.func @f24(%t: tensor<4xf32>) {
  %0 = math.acos %t fastmath<nnan> : tensor<4xf32>
  return
}

func.func @f25(%x: f32) {
  %0 = math.acosh %x : f32
  return
}

func.func @f26(%t: tensor<4xf32>) {
  %0 = math.acosh %t fastmath<nnan> : tensor<4xf32>
  return
}

func.func @f27(%x: f32) {
  %0 = math.asin %x : f32
  return
}

func.func @f28(%t: tensor<4xf32>) {
  %0 = math.asin %t fastmath<nnan> : tensor<4xf32>
  return
}

func.func @f29(%x: f32) {
  %0 = math.asinh %x : f32
  return
}

func.func @f30(%t: tensor<4xf32>) {
  %0 = math.asinh %t fastmath<nnan> : tensor<4xf32>
  return
}

func.func @f31(%x: f32) {
  %0 = math.atan %x : f32
  return
}

func.func @f32(%t: tensor<4xf32>) {
  %0 = math.atan %t fastmath<nnan> : tensor<4xf32>
  return
}

func.func @f33(%x: f32) {
  %0 = math.atanh %x : f32
  return
}

func.func @f34(%t: tensor<4xf32>) {
  %0 = math.atanh %t fastmath<nnan> : tensor<4xf32>
  return
}

func.func @f35(%x: f32) {
  %0 = math.cbrt %x : f32
  return
}

func.func @f36(%t: tensor<4xf32>) {
  %0 = math.cbrt %t fastmath<nnan> : tensor<4xf32>
  return
}

func.func @f37(%x: f32) {
  %0 = math.ceil %x : f32
  return
}

func.func @f38(%t: tensor<4xf32>) {
  %0 = math.ceil %t fastmath<nnan> : tensor<4xf32>
  return
}

func.func @f39(%x: f32) {
  %0 = math.cos %x : f32
  return
}

func.func @f40(%t: tensor<4xf32>) {
  %0 = math.cos %t fastmath<nnan> : tensor<4xf32>
  return
}

func.func @f41(%x: f32) {
  %0 = math.cosh %x : f32
  return
}

func.func @f42(%t: tensor<4xf32>) {
  %0 = math.cosh %t fastmath<nnan> : tensor<4xf32>
  return
}

func.func @f43(%x: f32) {
  %0 = math.erf %x : f32
  return
}

func.func @f44(%t: tensor<4xf32>) {
  %0 = math.erf %t fastmath<nnan> : tensor<4xf32>
  return
}

func.func @f45(%x: f32) {
  %0 = math.exp %x : f32
  return
}

func.func @f46(%t: tensor<4xf32>) {
  %0 = math.exp %t fastmath<nnan> : tensor<4xf32>
  return
}

func.func @f47(%x: f32) {
  %0 = math.exp2 %x : f32
  return
}

func.func @f48(%t: tensor<4xf32>) {
  %0 = math.exp2 %t fastmath<nnan> : tensor<4xf32>
  return
}

func.func @f49(%x: f32) {
  %0 = math.expm1 %x : f32
  return
}

func.func @f50(%t: tensor<4xf32>) {
  %0 = math.expm1 %t fastmath<nnan> : tensor<4xf32>
  return
}

func.func @f51(%x: f32) {
  %0 = math.floor %x : f32
  return
}

func.func @f52(%t: tensor<4xf32>) {
  %0 = math.floor %t fastmath<nnan> : tensor<4xf32>
  return
}

func.func @f53(%x: f32) {
  %0 = math.log %x : f32
  return
}

func.func @f54(%t: tensor<4xf32>) {
  %0 = math.log %t fastmath<nnan> : tensor<4xf32>
  return
}

func.func @f55(%x: f32) {
  %0 = math.log10 %x : f32
  return
}

func.func @f56(%t: tensor<4xf32>) {
  %0 = math.log10 %t fastmath<nnan> : tensor<4xf32>
  return
}

func.func @f57(%x: f32) {
  %0 = math.log1p %x : f32
  return
}

func.func @f58(%t: tensor<4xf32>) {
  %0 = math.log1p %t fastmath<nnan> : tensor<4xf32>
  return
}

func.func @f59(%x: f32) {
  %0 = math.log2 %x : f32
  return
}

func.func @f60(%t: tensor<4xf32>) {
  %0 = math.log2 %t fastmath<nnan> : tensor<4xf32>
  return
}

func.func @f61(%x: f32) {
  %0 = math.round %x : f32
  return
}

func.func @f62(%t: tensor<4xf32>) {
  %0 = math.round %t fastmath<nnan> : tensor<4xf32>
  return
}

func.func @f63(%x: f32) {
  %0 = math.roundeven %x : f32
  return
}

func.func @f64(%t: tensor<4xf32>) {
  %0 = math.roundeven %t fastmath<nnan> : tensor<4xf32>
  return
}

func.func @f65(%x: f32) {
  %0 = math.rsqrt %x : f32
  return
}

func.func @f66(%t: tensor<4xf32>) {
  %0 = math.rsqrt %t fastmath<nnan> : tensor<4xf32>
  return
}

func.func @f67(%x: f32) {
  %0 = math.sin %x : f32
  return
}

func.func @f68(%t: tensor<4xf32>) {
  %0 = math.sin %t fastmath<nnan> : tensor<4xf32>
  return
}

func.func @f69(%x: f32) {
  %0 = math.sinh %x : f32
  return
}

func.func @f70(%t: tensor<4xf32>) {
  %0 = math.sinh %t fastmath<nnan> : tensor<4xf32>
  return
}

func.func @f71(%x: f32) {
  %0 = math.sqrt %x : f32
  return
}

func.func @f72(%t: tensor<4xf32>) {
  %0 = math.sqrt %t fastmath<nnan> : tensor<4xf32>
  return
}

func.func @f73(%x: f32) {
  %0 = math.tan %x : f32
  return
}

func.func @f74(%t: tensor<4xf32>) {
  %0 = math.tan %t fastmath<nnan> : tensor<4xf32>
  return
}

func.func @f75(%x: f32) {
  %0 = math.tanh %x : f32
  return
}

func.func @f76(%t: tensor<4xf32>) {
  %0 = math.tanh %t fastmath<nnan> : tensor<4xf32>
  return
}

func.func @f77(%x: f32) {
  %0 = math.trunc %x : f32
  return
}

func.func @f78(%t: tensor<4xf32>) {
  %0 = math.trunc %t fastmath<nnan> : tensor<4xf32>
  return
}

func.func @f79(%x: f32) {
  %0 = math.isnan %x : f32
  return
}

func.func @f80(%x: f32) {
  %0 = math.isinf %x : f32
  return
}

func.func @f81(%x: f32) {
  %0 = math.isfinite %x : f32
  return
}

func.func @f82(%x: f32) {
  %0 = math.isnormal %x : f32
  return
}

func.func @f83(%a: i32) {
  %0 = math.absi %a : i32
  return
}

func.func @f84(%a: i32) {
  %0 = math.ctlz %a : i32
  return
}

func.func @f85(%a: i32) {
  %0 = math.cttz %a : i32
  return
}

func.func @f86(%a: i32) {
  %0 = math.ctpop %a : i32
  return
}

func.func @f87(%x: f32, %y: f32) {
  %0 = math.atan2 %x, %y : f32
  return
}

func.func @f88(%x: f32, %y: f32) {
  %0 = math.copysign %x, %y : f32
  return
}

func.func @f89(%x: f32, %y: f32) {
  %0 = math.powf %x, %y : f32
  return
}
