// RUN: headrace-opt %s | headrace-opt | filecheck %s
// RUN: %headrace-opt %s --mlir-print-op-generic | %headrace-opt | %filecheck %s

// CHECK-DAG: #MAIN = {kind = "MAIN", size = 4096 : i64}
// CHECK-DAG: #ALU = {kind = "ALU", ktdf_arch.features = {ktdf_arch.feature.compute, ktdf_arch.feature.simd = {lanes = #ktdf_arch.map<f32 = 4 : i64>}}}
#Main = { kind = "MAIN", size = 4096 }
#Alu = { kind = "ALU", ktdf_arch.features = {
  ktdf_arch.feature.compute, ktdf_arch.feature.simd = { lanes = #ktdf_arch.map<f32 = 4> } } }

// CHECK: ktdf_arch.device @toy attributes {headrace.clock_mhz = 500 : i64, version = 2 : i64} {
ktdf_arch.device @toy attributes {version = 2, headrace.clock_mhz = 500} {
  // CHECK-NEXT: %[[M:.*]] = memory @main #MAIN
  %m = memory @main #Main
  // CHECK-NEXT: %[[U:.*]]:2 = group @core {{.*}} share(%[[M]]) {
  %u:2 = group @core { kind = "core" } share(%m) {
    // CHECK-NEXT: %[[P:.*]] = memory {kind = 3 : i64}
    %p = memory { kind = 3 }
    // CHECK-NEXT: %[[A:.*]] = exec_unit #ALU
    %a = exec_unit #Alu
    // CHECK-NEXT: %[[B:.*]] = exec_unit
    %b = exec_unit
    // CHECK-NEXT: datapath @in {ktdf_arch.bandwidth = 16 : i64} %[[M]] to %[[B]] : memory, exec_unit
    datapath @in {ktdf_arch.bandwidth = 16} %m to %b : memory, exec_unit
    // CHECK-NEXT: datapath %[[B]] to %[[P]] : exec_unit, memory
    datapath %b to %p : exec_unit, !ktdf_arch.memory
    // CHECK-NEXT: yield %[[A]], %[[B]]
    yield %a, %b
  // CHECK-NEXT: } -> exec_unit, exec_unit
  } -> exec_unit, exec_unit
  // CHECK-NEXT: %[[S:.*]]:2 = switch [2]
  %s:2 = switch [2]
  // CHECK-NEXT: %{{.*}}:2 = switch [2] {connectivity = dense<[{{\[}}false, true], [true, false]]> : tensor<2x2xi1>}
  %t:2 = switch [2] {connectivity = dense<[[0, 1], [1, 0]]> : tensor<2x2xi1>}
  // CHECK-NEXT: datapath %[[U]]#1 to %[[S]]#0 : exec_unit, port
  datapath %u#1 to %s#0 : exec_unit, port
  // CHECK-NEXT: group share() {
  group share() {
  }
}
// CHECK: ktdf_arch.device @other attributes {mem_space_mapping = #ktdf_arch.map<"x" = "y">} import("other.mlir")
ktdf_arch.device @other attributes {mem_space_mapping = #ktdf_arch.map<"x" = "y">} import("other.mlir")
