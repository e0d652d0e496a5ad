// scf, affine and cf: loops, conditions, branches.
// RUN: %headrace-opt %s | %headrace-opt | %filecheck %s
// RUN: %headrace-opt %s --mlir-print-op-generic | %headrace-opt | %filecheck %s

#map = affine_map<(d0)[s0] -> (d0 + s0)>
#map1 = affine_map<(d0) -> (-d0 + 32, 8)>
#set = affine_set<(d0) : (d0 >= 0)>
module {
  func.func @f(%arg0: index, %arg1: i1, %arg2: i32, %arg3: f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c1_i32 = arith.constant 1 : i32
    %0 = scf.for %arg4 = %c0 to %c4 step %c1 iter_args(%arg5 = %arg3) -> (f32) {
      %8 = arith.addf %arg5, %arg5 : f32
      scf.yield %8 : f32
    }
    scf.for %arg4 = %arg2 to %arg2 step %c1_i32  : i32 {
    }
    %1 = scf.for %arg4 = %arg2 to %arg2 step %c1_i32 iter_args(%arg5 = %arg3) -> (f32)  : i32 {
      scf.yield %arg5 : f32
    }
    scf.if %arg1 {
    } else {
      func.call @g() : () -> ()
    }
    %2 = scf.if %arg1 -> (f32) {
      scf.yield %arg3 : f32
    } else {
      scf.yield %0 : f32
    }
    %3 = scf.while (%arg4 = %arg3) : (f32) -> f32 {
      scf.condition(%arg1) %arg4 : f32
    } do {
    ^bb0(%arg4: f32):
      scf.yield %arg4 : f32
    }
    scf.parallel (%arg4, %arg5) = (%c0, %c0) to (%c4, %c4) step (%c1, %c1) {
      scf.reduce 
    }
    %4 = scf.parallel (%arg4) = (%c0) to (%c4) step (%c1) init (%arg3) -> f32 {
      scf.reduce(%arg3 : f32) {
      ^bb0(%arg5: f32, %arg6: f32):
        %8 = arith.addf %arg5, %arg6 : f32
        scf.reduce.return %8 : f32
      }
    }
    scf.forall (%arg4, %arg5) in (4, %c4) {
    }
    scf.forall (%arg4) = (0) to (%c4) step (2) {
    }
    %5 = affine.apply #map(%arg0)[%c4]
    %6 = affine.min #map1(%arg0)
    affine.for %arg4 = 0 to 10 {
      affine.if #set(%arg4) {
        func.call @g() : () -> ()
      } else {
        func.call @g() : () -> ()
      }
    }
    affine.for %arg4 = %arg0 to min #map1(%arg0) step 2 {
    }
    cf.cond_br %arg1, ^bb1, ^bb2(%c0 : index)
  ^bb1:  // pred: ^bb0
    cf.br ^bb2(%c4 : index)
  ^bb2(%7: index):  // 2 preds: ^bb0, ^bb1
    return
  }
  func.func private @g()
}

// CHECK:       #map = affine_map<(d0)[s0] -> (d0 + s0)>
// CHECK-NEXT:  #map1 = affine_map<(d0) -> (-d0 + 32, 8)>
// CHECK-NEXT:  #set = affine_set<(d0) : (d0 >= 0)>
// CHECK-NEXT:  module {
// CHECK-NEXT:    func.func @f(%arg0: index, %arg1: i1, %arg2: i32, %arg3: f32) {
// CHECK-NEXT:      %c0 = arith.constant 0 : index
// CHECK-NEXT:      %c1 = arith.constant 1 : index
// CHECK-NEXT:      %c4 = arith.constant 4 : index
// CHECK-NEXT:      %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT:      %0 = scf.for %arg4 = %c0 to %c4 step %c1 iter_args(%arg5 = %arg3) -> (f32) {
// CHECK-NEXT:        %8 = arith.addf %arg5, %arg5 : f32
// CHECK-NEXT:        scf.yield %8 : f32
// CHECK-NEXT:      }
// CHECK-NEXT:      scf.for %arg4 = %arg2 to %arg2 step %c1_i32  : i32 {
// CHECK-NEXT:      }
// CHECK-NEXT:      %1 = scf.for %arg4 = %arg2 to %arg2 step %c1_i32 iter_args(%arg5 = %arg3) -> (f32)  : i32 {
// CHECK-NEXT:        scf.yield %arg5 : f32
// CHECK-NEXT:      }
// CHECK-NEXT:      scf.if %arg1 {
// CHECK-NEXT:      } else {
// CHECK-NEXT:        func.call @g() : () -> ()
// CHECK-NEXT:      }
// CHECK-NEXT:      %2 = scf.if %arg1 -> (f32) {
// CHECK-NEXT:        scf.yield %arg3 : f32
// CHECK-NEXT:      } else {
// CHECK-NEXT:        scf.yield %0 : f32
// CHECK-NEXT:      }
// CHECK-NEXT:      %3 = scf.while (%arg4 = %arg3) : (f32) -> f32 {
// CHECK-NEXT:        scf.condition(%arg1) %arg4 : f32
// CHECK-NEXT:      } do {
// CHECK-NEXT:      ^bb0(%arg4: f32):
// CHECK-NEXT:        scf.yield %arg4 : f32
// CHECK-NEXT:      }
// CHECK-NEXT:      scf.parallel (%arg4, %arg5) = (%c0, %c0) to (%c4, %c4) step (%c1, %c1) {
// CHECK-NEXT:        scf.reduce
// CHECK-NEXT:      }
// CHECK-NEXT:      %4 = scf.parallel (%arg4) = (%c0) to (%c4) step (%c1) init (%arg3) -> f32 {
// CHECK-NEXT:        scf.reduce(%arg3 : f32) {
// CHECK-NEXT:        ^bb0(%arg5: f32, %arg6: f32):
// CHECK-NEXT:          %8 = arith.addf %arg5, %arg6 : f32
// CHECK-NEXT:          scf.reduce.return %8 : f32
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:      scf.forall (%arg4, %arg5) in (4, %c4) {
// CHECK-NEXT:      }
// CHECK-NEXT:      scf.forall (%arg4) = (0) to (%c4) step (2) {
// CHECK-NEXT:      }
// CHECK-NEXT:      %5 = affine.apply #map(%arg0)[%c4]
// CHECK-NEXT:      %6 = affine.min #map1(%arg0)
// CHECK-NEXT:      affine.for %arg4 = 0 to 10 {
// CHECK-NEXT:        affine.if #set(%arg4) {
// CHECK-NEXT:          func.call @g() : () -> ()
// CHECK-NEXT:        } else {
// CHECK-NEXT:          func.call @g() : () -> ()
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:      affine.for %arg4 = %arg0 to min #map1(%arg0) step 2 {
// CHECK-NEXT:      }
// CHECK-NEXT:      cf.cond_br %arg1, ^bb1, ^bb2(%c0 : index)
// CHECK-NEXT:    ^bb1:  // pred: ^bb0
// CHECK-NEXT:      cf.br ^bb2(%c4 : index)
// CHECK-NEXT:    ^bb2(%7: index):  // 2 preds: ^bb0, ^bb1
// CHECK-NEXT:      return
// CHECK-NEXT:    }
// CHECK-NEXT:    func.func private @g()
// CHECK-NEXT:  }
