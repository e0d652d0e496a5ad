// linalg operations in every form of their text.
// RUN: %headrace-opt %s | %headrace-opt | %filecheck %s
// RUN: %headrace-opt %s --mlir-print-op-generic | %headrace-opt | %filecheck %s

#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func private @ext(index {a.b = 1 : i64}) -> (index {b.c}) attributes {x}
  func.func @f(%arg0: tensor<4x8xf16>, %arg1: tensor<4x8xf16>, %arg2: f16, %arg3: tensor<4xf16>, %arg4: tensor<4x8xi1>) -> tensor<4x8xf16> attributes {grid = [32]} {
    %0 = tensor.empty() : tensor<4x8xf16>
    %1 = linalg.add ins(%arg0, %arg1 : tensor<4x8xf16>, tensor<4x8xf16>) outs(%0 : tensor<4x8xf16>) -> tensor<4x8xf16>
    %2 = linalg.erf ins(%1 : tensor<4x8xf16>) outs(%0 : tensor<4x8xf16>) -> tensor<4x8xf16>
    %3 = linalg.fill ins(%arg2 : f16) outs(%0 : tensor<4x8xf16>) -> tensor<4x8xf16>
    %4 = linalg.div {foo = 1 : i64} ins(%2, %3 : tensor<4x8xf16>, tensor<4x8xf16>) outs(%0 : tensor<4x8xf16>) -> tensor<4x8xf16>
    %reduced = linalg.reduce { arith.addf } ins(%4 : tensor<4x8xf16>) outs(%arg3 : tensor<4xf16>) dimensions = [1] 
    %reduced_0 = linalg.reduce ins(%4 : tensor<4x8xf16>) outs(%reduced : tensor<4xf16>) dimensions = [1] 
      (%in: f16, %init: f16) {
        %12 = arith.addf %in, %init fastmath<fast> : f16
        linalg.yield %12 : f16
      }
    %reduced_1 = linalg.reduce { arith.mulf {fastmath = #arith.fastmath<fast>} } ins(%4 : tensor<4x8xf16>) outs(%arg3 : tensor<4xf16>) dimensions = [1] 
    %broadcasted = linalg.broadcast ins(%reduced_0 : tensor<4xf16>) outs(%0 : tensor<4x8xf16>) dimensions = [1] 
    %5 = tensor.empty() : tensor<8x4xf16>
    %transposed = linalg.transpose ins(%broadcasted : tensor<4x8xf16>) outs(%5 : tensor<8x4xf16>) permutation = [1, 0] 
    %6 = tensor.empty() : tensor<4x4xf32>
    %7 = linalg.matmul ins(%broadcasted, %transposed : tensor<4x8xf16>, tensor<8x4xf16>) outs(%6 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x8xf16>) outs(%0 : tensor<4x8xf16>) attrs =  {t} {
    ^bb0(%in: f16, %out: f16):
      %12 = linalg.index 0 : index
      %13 = math.exp %in : f16
      linalg.yield %13 : f16
    } -> tensor<4x8xf16>
    %mapped = linalg.map { arith.addf } ins(%arg0, %arg1 : tensor<4x8xf16>, tensor<4x8xf16>) outs(%0 : tensor<4x8xf16>)
    %9 = arith.select %arg4, %arg0, %arg1 : tensor<4x8xi1>, tensor<4x8xf16>
    %10 = arith.cmpf ogt, %arg0, %arg1 : tensor<4x8xf16>
    %11 = arith.extf %arg0 : tensor<4x8xf16> to tensor<4x8xf32>
    return %8 : tensor<4x8xf16>
  }
}

// CHECK:       #map = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-NEXT:  module {
// CHECK-NEXT:    func.func private @ext(index {a.b = 1 : i64}) -> (index {b.c}) attributes {x}
// CHECK-NEXT:    func.func @f(%arg0: tensor<4x8xf16>, %arg1: tensor<4x8xf16>, %arg2: f16, %arg3: tensor<4xf16>, %arg4: tensor<4x8xi1>) -> tensor<4x8xf16> attributes {grid = [32]} {
// CHECK-NEXT:      %0 = tensor.empty() : tensor<4x8xf16>
// CHECK-NEXT:      %1 = linalg.add ins(%arg0, %arg1 : tensor<4x8xf16>, tensor<4x8xf16>) outs(%0 : tensor<4x8xf16>) -> tensor<4x8xf16>
// CHECK-NEXT:      %2 = linalg.erf ins(%1 : tensor<4x8xf16>) outs(%0 : tensor<4x8xf16>) -> tensor<4x8xf16>
// CHECK-NEXT:      %3 = linalg.fill ins(%arg2 : f16) outs(%0 : tensor<4x8xf16>) -> tensor<4x8xf16>
// CHECK-NEXT:      %4 = linalg.div {foo = 1 : i64} ins(%2, %3 : tensor<4x8xf16>, tensor<4x8xf16>) outs(%0 : tensor<4x8xf16>) -> tensor<4x8xf16>
// CHECK-NEXT:      %reduced = linalg.reduce { arith.addf } ins(%4 : tensor<4x8xf16>) outs(%arg3 : tensor<4xf16>) dimensions = [1]
// CHECK-NEXT:      %reduced_0 = linalg.reduce ins(%4 : tensor<4x8xf16>) outs(%reduced : tensor<4xf16>) dimensions = [1]
// CHECK-NEXT:        (%in: f16, %init: f16) {
// CHECK-NEXT:          %12 = arith.addf %in, %init fastmath<fast> : f16
// CHECK-NEXT:          linalg.yield %12 : f16
// CHECK-NEXT:        }
// CHECK-NEXT:      %reduced_1 = linalg.reduce { arith.mulf {fastmath = #arith.fastmath<fast>} } ins(%4 : tensor<4x8xf16>) outs(%arg3 : tensor<4xf16>) dimensions = [1]
// CHECK-NEXT:      %broadcasted = linalg.broadcast ins(%reduced_0 : tensor<4xf16>) outs(%0 : tensor<4x8xf16>) dimensions = [1]
// CHECK-NEXT:      %5 = tensor.empty() : tensor<8x4xf16>
// CHECK-NEXT:      %transposed = linalg.transpose ins(%broadcasted : tensor<4x8xf16>) outs(%5 : tensor<8x4xf16>) permutation = [1, 0]
// CHECK-NEXT:      %6 = tensor.empty() : tensor<4x4xf32>
// CHECK-NEXT:      %7 = linalg.matmul ins(%broadcasted, %transposed : tensor<4x8xf16>, tensor<8x4xf16>) outs(%6 : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:      %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x8xf16>) outs(%0 : tensor<4x8xf16>) attrs =  {t} {
// CHECK-NEXT:      ^bb0(%in: f16, %out: f16):
// CHECK-NEXT:        %12 = linalg.index 0 : index
// CHECK-NEXT:        %13 = math.exp %in : f16
// CHECK-NEXT:        linalg.yield %13 : f16
// CHECK-NEXT:      } -> tensor<4x8xf16>
// CHECK-NEXT:      %mapped = linalg.map { arith.addf } ins(%arg0, %arg1 : tensor<4x8xf16>, tensor<4x8xf16>) outs(%0 : tensor<4x8xf16>)
// CHECK-NEXT:      %9 = arith.select %arg4, %arg0, %arg1 : tensor<4x8xi1>, tensor<4x8xf16>
// CHECK-NEXT:      %10 = arith.cmpf ogt, %arg0, %arg1 : tensor<4x8xf16>
// CHECK-NEXT:      %11 = arith.extf %arg0 : tensor<4x8xf16> to tensor<4x8xf32>
// CHECK-NEXT:      return %8 : tensor<4x8xf16>
// CHECK-NEXT:    }
// CHECK-NEXT:  }
