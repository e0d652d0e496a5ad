// RUN: %headrace-opt %s | %headrace-opt | %filecheck %s
// RUN: %headrace-opt %s --mlir-print-op-generic | %headrace-opt | %filecheck %s

// CHECK-LABEL: func.func @integers
func.func @integers(%a: i32, %b: i64) {
  // CHECK: spyreop.addi32toi32 %{{.*}}, %{{.*}}
  %0 = spyreop.addi32toi32 %a, %a
  // CHECK: spyreop.addi64toi64
  %1 = spyreop.addi64toi64 %b, %b
  // CHECK: spyreop.muli32toi32
  %2 = spyreop.muli32toi32 %a, %0
  // CHECK: spyreop.idx32toaddr %{{.*}} base 0x1A00 stride 4
  %3 = spyreop.idx32toaddr %a base 0x1a00 stride 4
  // CHECK: spyreop.idx32toaddr %{{.*}} base %{{.*}} stride %{{.*}}
  %4 = spyreop.idx32toaddr %a base %0 stride %2
  return
}

// CHECK-LABEL: func.func @floats
func.func @floats(%x: f16, %d: !spyreop.df16, %y: f32) {
  // CHECK: spyreop.exp %{{.*}} : f16
  %0 = spyreop.exp %x : f16
  // CHECK: spyreop.gelu %{{.*}} : !spyreop.df16
  %1 = spyreop.gelu %d : !spyreop.df16
  // CHECK: spyreop.sigmoid
  %2 = spyreop.sigmoid %y : f32
  // CHECK: spyreop.silu
  %3 = spyreop.silu %y : f32
  // CHECK: spyreop.sqrt
  %4 = spyreop.sqrt %y : f32
  // CHECK: spyreop.rsqrt
  %5 = spyreop.rsqrt %y : f32
  // CHECK: spyreop.reciprocal
  %6 = spyreop.reciprocal %y : f32
  // CHECK: spyreop.realdiv %{{.*}}, %{{.*}} : f32
  %7 = spyreop.realdiv %y, %6 : f32
  // CHECK: spyreop.softplus %{{.*}} beta 2.000000e-01 threshold -1.500000e+01 : f16
  %8 = spyreop.softplus %x beta 0.2 threshold -15.0 : f16
  // CHECK: spyreop.softplus %{{.*}} beta 2.000000e-01 threshold 0x7F800000 : f16
  %inf = spyreop.softplus %x beta 0.2 threshold 0x7F800000 : f16
  // CHECK: %{{.*}}:2 = spyreop.exx2 %{{.*}} : f32
  %9, %10 = spyreop.exx2 %y : f32
  // CHECK: spyreop.exx2_fused %{{.*}} : f16 -> !spyreop.fp16_fused
  %11 = spyreop.exx2_fused %x : f16 -> !spyreop.fp16_fused
  // CHECK: spyreop.exx2_zeromean_fused %{{.*}} : !spyreop.df16 -> !spyreop.df16_fused
  %12 = spyreop.exx2_zeromean_fused %d : !spyreop.df16 -> !spyreop.df16_fused
  // CHECK: spyreop.layernormscale %{{.*}} squares %{{.*}} : f32
  %13 = spyreop.layernormscale %9 squares %10 : f32
  // CHECK: spyreop.layernormscale %{{.*}} : f32
  %14 = spyreop.layernormscale %9 : f32
  // CHECK: spyreop.layernormscale_fused %{{.*}} : !spyreop.fp16_fused -> f16
  %15 = spyreop.layernormscale_fused %11 : !spyreop.fp16_fused -> f16
  // CHECK: spyreop.layernormnorm %{{.*}} squares %{{.*}} scale %{{.*}} weight %{{.*}} bias %{{.*}} : f32
  %16 = spyreop.layernormnorm %y squares %10 scale %13 weight %y bias %y : f32
  // CHECK: spyreop.compare <lesserthan> %{{.*}}, %{{.*}} : f32
  %17 = spyreop.compare <lesserthan> %y, %16 : f32
  // CHECK: spyreop.select %{{.*}}, %{{.*}}, %{{.*}} : f32
  %18 = spyreop.select %17, %y, %16 : f32
  return
}

// CHECK-LABEL: func.func @constants
func.func @constants(%t: tensor<64xf16>) {
  // CHECK: spyreop.constant 1.500000e+00 : f16
  %0 = spyreop.constant 1.5 : f16
  // CHECK: spyreop.constant -0.000000e+00 : f32
  %1 = spyreop.constant -0.0 : f32
  // CHECK: spyreop.constant 0xFF800000 : f32
  %2 = spyreop.constant 0xFF800000 : f32
  // CHECK: spyreop.slice_reduction %{{.*}} {reduction_kind = #spyreop.reduction_kind<abs_max>, reduction_scope = #spyreop.reduction_scope<in_slice>} : tensor<64xf16> -> tensor<64xf16>
  %3 = spyreop.slice_reduction %t {reduction_kind = #spyreop.reduction_kind<abs_max>, reduction_scope = #spyreop.reduction_scope<in_slice>} : tensor<64xf16> -> tensor<64xf16>
  return
}
