// RUN: headrace-opt --normalize-grid-to-1d %s | filecheck %s

// CHECK: func.func @two(
// CHECK-SAME: grid = [6]
// CHECK: %[[ID:.*]] = ktdp.get_compute_tile_id : index
// CHECK: arith.divui %[[ID]]
// CHECK: arith.remui %[[ID]]
func.func @two() -> index attributes {grid = [2, 3]} {
  %r, %c = ktdp.get_compute_tile_id : index, index
  %s = arith.addi %r, %c : index
  return %s : index
}

// CHECK: func.func @one(
// CHECK-SAME: grid = [4]
// CHECK-NOT: arith.divui
func.func @one() -> index attributes {grid = [4]} {
  %t = ktdp.get_compute_tile_id : index
  return %t : index
}
