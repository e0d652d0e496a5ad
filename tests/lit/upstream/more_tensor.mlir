// More forms of tensor; an independent MLIR accepts and prints each of them the same way.
// RUN: %headrace-opt %s --allow-unregistered-dialect > %t.1
// RUN: %headrace-opt %t.1 --allow-unregistered-dialect > %t.2 && diff %t.1 %t.2
// RUN: %headrace-opt %s --allow-unregistered-dialect --mlir-print-op-generic | %headrace-opt --allow-unregistered-dialect > %t.3 && diff %t.1 %t.3
// RUN: %headrace-opt %s --allow-unregistered-dialect --mlir-print-debuginfo | %headrace-opt --allow-unregistered-dialect > %t.4 && diff %t.1 %t.4

func.func @f0(%one: tensor<1xf32>) {
  %18 = tensor.collapse_shape %one [] : tensor<1xf32> into tensor<f32>
  return
}

func.func @f1(%s: tensor<f32>) {
  %20 = tensor.expand_shape %s [] output_shape [1] : tensor<f32> into tensor<1xf32>
  return
}

func.func @f2(%s: tensor<f32>) {
  %20 = tensor.expand_shape %s [] output_shape [] : tensor<f32> into tensor<f32>
  return
}

func.func @f3(%u: tensor<*xf32>) {
  %28 = tensor.rank %u : tensor<*xf32>
  return
}

func.func @f4(%t: tensor<8x16xf32>, %ix: tensor<4x1xindex>) {
  %29 = tensor.gather %t[%ix] gather_dims([0]) : (tensor<8x16xf32>, tensor<4x1xindex>) -> tensor<4x1x16xf32>
  return
}

func.func @f5(%t: tensor<8x16xf32>, %ix: tensor<4x1xindex>) {
  %29 = tensor.gather %t[%ix] gather_dims([0]) unique : (tensor<8x16xf32>, tensor<4x1xindex>) -> tensor<4x16xf32>
  return
}

func.func @f6(%t: tensor<8x16xf32>, %e: tensor<4x1xi32>) {
  %29 = tensor.gather %t[%e] gather_dims([1]) unique {foo.x} : (tensor<8x16xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  return
}

func.func @f7(%t: tensor<8x16xf32>, %ix: tensor<4x1xindex>, %z: tensor<4x16xf32>) {
  %31 = tensor.scatter %z into %t[%ix] scatter_dims([0]) unique : (tensor<4x16xf32>, tensor<8x16xf32>, tensor<4x1xindex>) -> tensor<8x16xf32>
  return
}

func.func @f8(%t: tensor<8x16xf32>, %ix: tensor<4x1xindex>, %z1: tensor<4x1x16xf32>) {
  %31 = tensor.scatter %z1 into %t[%ix] scatter_dims([0]) unique : (tensor<4x1x16xf32>, tensor<8x16xf32>, tensor<4x1xindex>) -> tensor<8x16xf32>
  return
}

func.func @f9(%t: tensor<8x16xf32>, %i: index, %x: f32) {
  %24 = tensor.pad %t low[1, %i] high[0, 2] {
    ^bb0(%a: index, %b: index):
      tensor.yield %x : f32
    } : tensor<8x16xf32> to tensor<9x?xf32>
  return
}

func.func @f10(%t: tensor<8x16xf32>, %x: f32) {
  %25 = tensor.pad %t nofold low[0, 0] high[0, 0] {
    ^bb0(%a: index, %b: index):
      tensor.yield %x : f32
    } {foo.y = 2 : i32} : tensor<8x16xf32> to tensor<8x16xf32>
  return
}

func.func @f11(%t: tensor<8x16xf32>) {
  %26 = tensor.concat dim(0) %t, %t : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
  return
}

func.func @f12(%t: tensor<8x16xf32>) {
  %26 = tensor.concat dim(1) %t, %t, %t {foo.x} : (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x48xf32>
  return
}

func.func @f13(%d: tensor<?x?xf32>, %i: index, %s: tensor<f32>) {
  %11 = tensor.insert_slice %s into %d[%i, 0] [1, 1] [1, 1] : tensor<f32> into tensor<?x?xf32>
  return
}

func.func @f14(%x: f32) {
  %13 = tensor.from_elements %x, %x, %x, %x : tensor<2x2xf32>
  return
}

func.func @f15(%x: f32) {
  %14 = tensor.from_elements %x : tensor<f32>
  return
}

func.func @f16() {
  %14 = tensor.from_elements : tensor<0xf32>
  return
}

func.func @f17(%i: index, %x: f32) {
  %16 = tensor.splat %x[%i] : tensor<4x?xf32>
  return
}

func.func @f18(%i: index, %x: f32) {
  %16 = tensor.splat %x[%i, %i] {foo.x} : tensor<?x?xf32>
  return
}

func.func @f19(%u: tensor<*xf32>) {
  %q = tensor.cast %u : tensor<*xf32> to tensor<?x4xf32>
  return
}

func.func @f20(%t: tensor<8x16xf32>) {
  %0 = tensor.expand_shape %t [[0, 1], [2]] output_shape [2, 4, 15] : tensor<8x16xf32> into tensor<2x4x16xf32>
  return
}

// What is padded by an unknown amount may be said to be known.
func.func @f21(%t: tensor<12x20xf32>, %i: index, %x: f32) {
  %0 = tensor.pad %t low[1, %i] high[%i, 2] {
    ^bb0(%a: index, %b: index):
      tensor.yield %x : f32
    } : tensor<12x20xf32> to tensor<?x25xf32>
  return
}

func.func @reshaped(%u: tensor<*xf32>, %s: tensor<?xindex>, %k: tensor<2xi32>) {
  %0 = tensor.reshape %u(%s) : (tensor<*xf32>, tensor<?xindex>) -> tensor<*xf32>
  %1 = tensor.reshape %0(%k) {tag} : (tensor<*xf32>, tensor<2xi32>) -> tensor<?x8xf32>
  return
}
