// RUN: headrace-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{empty device requires 'import_path' attribute}}
ktdf_arch.device @empty {
}

// -----

ktdf_arch.device @kind {
  // expected-error @+1 {{'memory' requires attribute 'kind'}}
  %m = memory {size = 4}
}

// -----

ktdf_arch.device @space {
  // expected-error @+1 {{attribute 'kind' requires valid memory space}}
  %m = memory {kind = f32}
}

// -----

ktdf_arch.device @size {
  // expected-error @+1 {{'ktdf_arch.memory' op attribute 'size' failed to satisfy constraint: 64-bit signless integer attribute whose minimum value is 1}}
  %m = memory {kind = "M", size = 0}
}

// -----

// expected-error @+1 {{resource with id "x" redefined}}
ktdf_arch.device @ids {
  %m = memory @x {kind = "M"}
  group share(%m) {
    %u = exec_unit @x
  }
}

// -----

ktdf_arch.device @self {
  %m = memory {kind = "M"}
  group share(%m) {
    // expected-error @+1 {{can't link resource to itself}}
    datapath %m to %m : memory, memory
  }
}

// -----

// expected-error @+1 {{expects child ops to be resources}}
ktdf_arch.device @child {
  %c = arith.constant 1 : index
}

// -----

ktdf_arch.device @patterns {
  %m = memory {kind = "M"}
  // expected-error @+1 {{expects child ops to be 'pdl.pattern'}}
  patterns {
    %n = ktdf_arch.memory {kind = "N"}
  }
}

// -----

ktdf_arch.device @yields {
  // expected-error @+1 {{yields 0 units, but has 1 results}}
  %u = group share() {
  } -> exec_unit
}

// -----

ktdf_arch.device @connectivity {
  // expected-error @+1 {{attribute 'connectivity' requires elements of type tensor<2x2xi1>}}
  %s:2 = switch [2] {connectivity = dense<1> : tensor<3x3xi1>}
}

// -----

// expected-error @+1 {{multiple entries for key f16}}
ktdf_arch.device @d attributes {m = #ktdf_arch.map<f16 = 1, f16 = 2>} import("d.mlir")

// -----

// expected-error @+2 {{'ktdf_arch.memory' op unrecognized 'ktdf_arch' intrisic: 'ktdf_arch.speed'}}
ktdf_arch.device @intrinsic {
  %m = memory {kind = "M", ktdf_arch.speed = 4}
}

// -----

// expected-error @+4 {{'ktdf_arch.datapath' op 'ktdf_arch.transfer_granularity' has repeated entries}}
ktdf_arch.device @granularity {
  %u = exec_unit
  %v = exec_unit
  datapath {ktdf_arch.transfer_granularity = array<i64: 4, 4>} %u to %v : exec_unit, exec_unit
}

// -----

// expected-error @+2 {{'ktdf_arch.exec_unit' op 'ktdf_arch.maps_to' not valid on 'ktdf_arch' operations}}
ktdf_arch.device @maps {
  %u = exec_unit {ktdf_arch.maps_to = "X"}
}

// -----

// expected-error @+2 {{'ktdf_arch.memory' op 'ktdf_arch.feature.compute' only valid on execution units}}
ktdf_arch.device @place {
  %m = memory {kind = "M", ktdf_arch.features = {ktdf_arch.feature.compute}}
}

// -----

// expected-error @+2 {{'ktdf_arch.exec_unit' op 'ktdf_arch.feature.queue' only valid on links}}
ktdf_arch.device @queue {
  %u = exec_unit {ktdf_arch.features = {ktdf_arch.feature.queue}}
}

// -----

// expected-error @+2 {{'ktdf_arch.exec_unit' op 'ktdf_arch.feature.load' requires unit or dictionary attribute}}
ktdf_arch.device @load {
  %u = exec_unit {ktdf_arch.features = {ktdf_arch.feature.load = 3}}
}

// -----

// expected-error @+2 {{'ktdf_arch.exec_unit' op 'ktdf_arch.feature.simd' attribute 'lanes' requires positive numbers}}
ktdf_arch.device @no_lanes {
  %u = exec_unit {ktdf_arch.features = {ktdf_arch.feature.simd = {lanes = #ktdf_arch.map<f16 = 0>}}}
}

// -----

// expected-error @+2 {{'ktdf_arch.exec_unit' op 'ktdf_arch.feature.simd' attribute 'splat' requires unit}}
ktdf_arch.device @splat {
  %u = exec_unit {ktdf_arch.features = {ktdf_arch.feature.simd = {splat = 1}}}
}

// -----

// expected-error @+1 {{unrecognized 'ktdf_arch' intrisic: 'ktdf_arch.speed'}}
func.func @f() attributes {ktdf_arch.speed = 3} {
  return
}

// -----

func.func @f(%a: f32) {
  // expected-error @+1 {{'ktdf_arch.bandwidth' only valid on links}}
  %0 = arith.addf %a, %a {ktdf_arch.bandwidth = 3} : f32
  return
}
