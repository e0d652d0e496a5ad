// Forms of the math operations, compared with an independent MLIR in tests/ir/test_independent_mlir.py.
// RUN: %headrace-opt %s --allow-unregistered-dialect > %t.1
// RUN: %headrace-opt %t.1 --allow-unregistered-dialect > %t.2 && diff %t.1 %t.2
// RUN: %headrace-opt %s --allow-unregistered-dialect --mlir-print-op-generic | %headrace-opt --allow-unregistered-dialect > %t.3 && diff %t.1 %t.3
// RUN: %headrace-opt %s --allow-unregistered-dialect --mlir-print-debuginfo | %headrace-opt --allow-unregistered-dialect > %t.4 && diff %t.1 %t.4

func.func @f(%x: f32, %t: tensor<4xf16>, %i: i32, %v: vector<4xf64>, %b: bf16) {
  %u0 = math.absf %x : f32
  %w0 = math.absf %t fastmath<fast> : tensor<4xf16>
  %u1 = math.acos %x : f32
  %w1 = math.acos %t fastmath<fast> : tensor<4xf16>
  %u2 = math.acosh %x : f32
  %w2 = math.acosh %t fastmath<fast> : tensor<4xf16>
  %u3 = math.asin %x : f32
  %w3 = math.asin %t fastmath<fast> : tensor<4xf16>
  %u4 = math.asinh %x : f32
  %w4 = math.asinh %t fastmath<fast> : tensor<4xf16>
  %u5 = math.atan %x : f32
  %w5 = math.atan %t fastmath<fast> : tensor<4xf16>
  %u6 = math.atanh %x : f32
  %w6 = math.atanh %t fastmath<fast> : tensor<4xf16>
  %u7 = math.cbrt %x : f32
  %w7 = math.cbrt %t fastmath<fast> : tensor<4xf16>
  %u8 = math.ceil %x : f32
  %w8 = math.ceil %t fastmath<fast> : tensor<4xf16>
  %u9 = math.cos %x : f32
  %w9 = math.cos %t fastmath<fast> : tensor<4xf16>
  %u10 = math.cosh %x : f32
  %w10 = math.cosh %t fastmath<fast> : tensor<4xf16>
  %u11 = math.erf %x : f32
  %w11 = math.erf %t fastmath<fast> : tensor<4xf16>
  %u13 = math.exp %x : f32
  %w13 = math.exp %t fastmath<fast> : tensor<4xf16>
  %u14 = math.exp2 %x : f32
  %w14 = math.exp2 %t fastmath<fast> : tensor<4xf16>
  %u15 = math.expm1 %x : f32
  %w15 = math.expm1 %t fastmath<fast> : tensor<4xf16>
  %u16 = math.floor %x : f32
  %w16 = math.floor %t fastmath<fast> : tensor<4xf16>
  %u17 = math.log %x : f32
  %w17 = math.log %t fastmath<fast> : tensor<4xf16>
  %u18 = math.log10 %x : f32
  %w18 = math.log10 %t fastmath<fast> : tensor<4xf16>
  %u19 = math.log1p %x : f32
  %w19 = math.log1p %t fastmath<fast> : tensor<4xf16>
  %u20 = math.log2 %x : f32
  %w20 = math.log2 %t fastmath<fast> : tensor<4xf16>
  %u21 = math.round %x : f32
  %w21 = math.round %t fastmath<fast> : tensor<4xf16>
  %u22 = math.roundeven %x : f32
  %w22 = math.roundeven %t fastmath<fast> : tensor<4xf16>
  %u23 = math.rsqrt %x : f32
  %w23 = math.rsqrt %t fastmath<fast> : tensor<4xf16>
  %u24 = math.sin %x : f32
  %w24 = math.sin %t fastmath<fast> : tensor<4xf16>
  %u25 = math.sinh %x : f32
  %w25 = math.sinh %t fastmath<fast> : tensor<4xf16>
  %u26 = math.sqrt %x : f32
  %w26 = math.sqrt %t fastmath<fast> : tensor<4xf16>
  %u27 = math.tan %x : f32
  %w27 = math.tan %t fastmath<fast> : tensor<4xf16>
  %u28 = math.tanh %x : f32
  %w28 = math.tanh %t fastmath<fast> : tensor<4xf16>
  %u29 = math.trunc %x : f32
  %w29 = math.trunc %t fastmath<fast> : tensor<4xf16>
  %b0 = math.atan2 %x, %x : f32
  %b1 = math.copysign %x, %x : f32
  %b2 = math.powf %x, %x : f32
  %i0 = math.absi %i : i32
  %i1 = math.ctlz %i : i32
  %i2 = math.cttz %i : i32
  %i3 = math.ctpop %i : i32
  %k0 = math.ipowi %i, %i : i32
  %k1 = math.fpowi %x, %i : f32, i32
  %k2 = math.fma %x, %x, %x : f32
 %k3 = math.isnan %x : f32
 %k4 = math.isinf %t : tensor<4xf16>
 %k5 = math.isfinite %x : f32
 %k6 = math.isnormal %x : f32
  return
}
