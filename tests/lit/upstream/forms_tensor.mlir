// Forms of the tensor operations, compared with an independent MLIR in tests/ir/test_independent_mlir.py.
// RUN: %headrace-opt %s --allow-unregistered-dialect > %t.1
// RUN: %headrace-opt %t.1 --allow-unregistered-dialect > %t.2 && diff %t.1 %t.2
// RUN: %headrace-opt %s --allow-unregistered-dialect --mlir-print-op-generic | %headrace-opt --allow-unregistered-dialect > %t.3 && diff %t.1 %t.3
// RUN: %headrace-opt %s --allow-unregistered-dialect --mlir-print-debuginfo | %headrace-opt --allow-unregistered-dialect > %t.4 && diff %t.1 %t.4

func.func @f(%n: index, %t: tensor<4x8xf32>, %d: tensor<?x?xf32>, %z: tensor<f32>, %x: f32, %u: tensor<*xf32>, %ix: tensor<2xindex>, %idx: tensor<3x1xindex>, %e: tensor<4xf32, "enc">) {
  %c0 = arith.constant 0 : index
  %e0 = tensor.empty() : tensor<4x8xf32>
  %e1 = tensor.empty(%n, %n) : tensor<?x4x?xf32>
  %b = tensor.bitcast %t : tensor<4x8xf32> to tensor<4x8xi32>
  %ca = tensor.cast %t : tensor<4x8xf32> to tensor<?x8xf32>
  %cc = tensor.concat dim(0) %t, %t : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  %di = tensor.dim %d, %c0 : tensor<?x?xf32>
  %ex = tensor.extract %t[%n, %n] : tensor<4x8xf32>
  %ex0 = tensor.extract %z[] : tensor<f32>
  %cs = tensor.collapse_shape %t [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  %es = tensor.expand_shape %cs [[0, 1, 2]] output_shape [4, 2, 4] : tensor<32xf32> into tensor<4x2x4xf32>
  %es2 = tensor.expand_shape %d [[0, 1], [2]] output_shape [%n, 4, %n] : tensor<?x?xf32> into tensor<?x4x?xf32>
  %sp = tensor.empty() : tensor<1x1xf32>
  %c00 = tensor.collapse_shape %sp [] : tensor<1x1xf32> into tensor<f32>
  %sl = tensor.extract_slice %t[%n, 0] [2, %n] [1, 1] : tensor<4x8xf32> to tensor<2x?xf32>
  %sl2 = tensor.extract_slice %t[0, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<8xf32>
  %is = tensor.insert_slice %sl2 into %t[0, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<4x8xf32>
  %fe = tensor.from_elements %x, %x, %x, %x : tensor<2x2xf32>
  %fe0 = tensor.from_elements %x : tensor<f32>
  %ge = tensor.generate %n, %n {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %x : f32
  } : tensor<?x3x?xf32>
  %in = tensor.insert %x into %t[%n, %n] : tensor<4x8xf32>
  %pd = tensor.pad %t low[0, %n] high[1, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<4x8xf32> to tensor<5x?xf32>
  %pd2 = tensor.pad %t nofold low[0, 0] high[1, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<4x8xf32> to tensor<5x10xf32>
  %s = tensor.splat %x : tensor<4x4xf32>
  %s2 = tensor.splat %x[%n] : tensor<?x4xf32>
  return
}
