// RUN: headrace-opt --parallelize-loops-across-instances %s | filecheck %s

// Each of the two groups has a memory of its own: whole tiles are spread, in every stage whose units come twice.

ktdf_arch.device @pair {
  %main = memory {kind = "MAIN", size = 65536}
  group {kind = "core"} share(%main) {
    %pad = memory {kind = "PAD", size = 8192}
    %in = exec_unit {kind = "IN", ktdf_arch.features = {ktdf_arch.feature.load}}
    datapath %main to %in : memory, exec_unit
    datapath %in to %pad : exec_unit, memory
    group share(%pad) {
      %near = memory {kind = "NEAR", size = 2048}
      %fetch = exec_unit {kind = "FETCH", ktdf_arch.features = {ktdf_arch.feature.load}}
      datapath %pad to %fetch : memory, exec_unit
      datapath %fetch to %near : exec_unit, memory
    }
    group share(%pad) {
      %near = memory {kind = "NEAR", size = 2048}
      %fetch = exec_unit {kind = "FETCH", ktdf_arch.features = {ktdf_arch.feature.load}}
      datapath %pad to %fetch : memory, exec_unit
      datapath %fetch to %near : exec_unit, memory
    }
  }
}

// CHECK-LABEL: func.func @turns(
// CHECK: scf.for %[[T:.*]] = %{{.*}} to %{{.*}} step
// CHECK: %[[TURN:.*]] = arith.remsi %[[T]], %{{.*}} : index
// CHECK: ktdf.data_transfer from %{{.*}} : memref<256xf16, "MAIN">, memref<64xf16, "PAD">
// CHECK: } {applicable_units = ["IN"]}
// CHECK: ktdf.parallel (%[[P:.*]], %{{.*}}) = (%{{.*}}) to (%{{.*}}) step (%{{.*}}) distribute(num_instances = 2)
// CHECK: %[[MINE:.*]] = arith.cmpi eq, %[[TURN]], %[[P]] : index
// CHECK: scf.if %[[MINE]]
// CHECK: ktdf.data_transfer from %{{.*}} : memref<64xf16, "PAD">, memref<64xf16, "NEAR">
func.func @turns(%a: memref<256xf16, "MAIN">) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %t = %c0 to %c4 step %c1 {
    ktdf.pipeline {
      %p:3 = ktdf.private -> (memref<64xf16, "PAD">, memref<64xf16, "NEAR">, !ktdf.token) {
        %0 = memref.alloc() : memref<64xf16, "PAD">
        %1 = memref.alloc() : memref<64xf16, "NEAR">
        %2 = ktdf.create_token : !ktdf.token
        ktdf.private_yield %0, %1, %2 : memref<64xf16, "PAD">, memref<64xf16, "NEAR">, !ktdf.token
      }
      ktdf.stage depends_in(none) depends_out(%p#2) {
        ktdf.data_transfer from %a[%t * 64] size [64] to %p#0[0] size [64] : memref<256xf16, "MAIN">, memref<64xf16, "PAD">
      } {applicable_units = ["IN"]}
      ktdf.stage depends_in(%p#2) depends_out(none) {
        ktdf.data_transfer from %p#0[0] size [64] to %p#1[0] size [64] : memref<64xf16, "PAD">, memref<64xf16, "NEAR">
      } {applicable_units = ["FETCH"]}
    }
  }
  return
}
