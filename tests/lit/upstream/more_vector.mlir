// More forms of vector; an independent MLIR accepts and prints each of them the same way.
// RUN: %headrace-opt %s --allow-unregistered-dialect > %t.1
// RUN: %headrace-opt %t.1 --allow-unregistered-dialect > %t.2 && diff %t.1 %t.2
// RUN: %headrace-opt %s --allow-unregistered-dialect --mlir-print-op-generic | %headrace-opt --allow-unregistered-dialect > %t.3 && diff %t.1 %t.3
// RUN: %headrace-opt %s --allow-unregistered-dialect --mlir-print-debuginfo | %headrace-opt --allow-unregistered-dialect > %t.4 && diff %t.1 %t.4

func.func @f0(%x: f32) {
  %0 = vector.broadcast %x : f32 to vector<4xf32>
  return
}

func.func @f1(%v: vector<4xf32>) {
  %1 = vector.broadcast %v : vector<4xf32> to vector<8x4xf32>
  return
}

func.func @f2(%w: vector<4x8xf32>) {
  %2 = vector.extract %w[1] : vector<8xf32> from vector<4x8xf32>
  return
}

func.func @f3(%w: vector<4x8xf32>, %i: index) {
  %3 = vector.extract %w[1, %i] : f32 from vector<4x8xf32>
  return
}

func.func @f4(%v0: vector<f32>) {
  %3 = vector.extract %v0[] : f32 from vector<f32>
  return
}

func.func @f5(%v: vector<4xf32>, %x: f32) {
  %4 = vector.insert %x, %v[2] : f32 into vector<4xf32>
  return
}

func.func @f6(%v: vector<4xf32>) {
  %4 = vector.insert %v, %v[] : vector<4xf32> into vector<4xf32>
  return
}

func.func @f7(%v: vector<4xf32>) {
  %5 = vector.fma %v, %v, %v : vector<4xf32>
  return
}

func.func @f8(%m: memref<8x16xf32>, %i: index) {
  %6 = vector.load %m[%i, %i] : memref<8x16xf32>, vector<4xf32>
  return
}

func.func @f9(%m: memref<8x16xf32>, %i: index) {
  %6 = vector.load %m[%i, %i] {nontemporal = true} : memref<8x16xf32>, vector<4xf32>
  return
}

func.func @f10(%v: vector<4xf32>, %m: memref<8x16xf32>, %i: index) {
  vector.store %v, %m[%i, %i] : memref<8x16xf32>, vector<4xf32>
  return
}

func.func @f11(%v: vector<4xf32>, %m: memref<8x16xf32>, %i: index, %mask: vector<4xi1>) {
  %7 = vector.maskedload %m[%i, %i], %mask, %v : memref<8x16xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return
}

func.func @f12(%v: vector<4xf32>, %m: memref<8x16xf32>, %i: index, %mask: vector<4xi1>) {
  vector.maskedstore %m[%i, %i], %mask, %v : memref<8x16xf32>, vector<4xi1>, vector<4xf32>
  return
}

func.func @f13(%i: index) {
  %8 = vector.create_mask %i : vector<4xi1>
  return
}

func.func @f14(%v: vector<4xf32>) {
  %10 = vector.reduction <add>, %v : vector<4xf32> into f32
  return
}

func.func @f15(%v: vector<4xf32>, %x: f32) {
  %11 = vector.reduction <add>, %v, %x : vector<4xf32> into f32
  return
}

func.func @f16(%v: vector<4xf32>, %x: f32) {
  %11 = vector.reduction <add>, %v, %x fastmath<fast> : vector<4xf32> into f32
  return
}

func.func @f17(%iv: vector<4xi32>) {
  %12 = vector.reduction <minsi>, %iv : vector<4xi32> into i32
  return
}

func.func @f18(%v: vector<4xf32>) {
  %13 = vector.shuffle %v, %v [0, 5, 2, 7] : vector<4xf32>, vector<4xf32>
  return
}

func.func @f19(%v: vector<4xf32>) {
  %14 = vector.bitcast %v : vector<4xf32> to vector<4xi32>
  return
}

func.func @f20(%x: f32, %m: memref<8x16xf32>, %i: index) {
  %15 = vector.transfer_read %m[%i, %i], %x {in_bounds = [true]} : memref<8x16xf32>, vector<4xf32>
  return
}

func.func @f21(%x: f32, %i: index, %t: tensor<8x16xf32>) {
  %16 = vector.transfer_read %t[%i, %i], %x : tensor<8x16xf32>, vector<4x8xf32>
  return
}

func.func @f22(%x: f32, %m: memref<8x16xf32>, %i: index, %mask: vector<4xi1>) {
  %16 = vector.transfer_read %m[%i, %i], %x, %mask {permutation_map = affine_map<(d0, d1) -> (d0)>} : memref<8x16xf32>, vector<4xf32>
  return
}

func.func @f23(%v: vector<4xf32>, %m: memref<8x16xf32>, %i: index) {
  vector.transfer_write %v, %m[%i, %i] {in_bounds = [true]} : vector<4xf32>, memref<8x16xf32>
  return
}

func.func @f24(%v: vector<4xf32>, %i: index, %t: tensor<8x16xf32>) {
  %17 = vector.transfer_write %v, %t[%i, %i] {permutation_map = affine_map<(d0, d1) -> (d0)>} : vector<4xf32>, tensor<8x16xf32>
  return
}

func.func @f25(%v: vector<4xf32>) {
  vector.print %v : vector<4xf32>
  return
}

func.func @f26(%w: vector<4x8xf32>) {
  %18 = vector.shape_cast %w : vector<4x8xf32> to vector<32xf32>
  return
}

func.func @turned(%v: vector<4x8xf32>, %x: f32) {
  %0 = vector.transpose %v, [1, 0] {tag} : vector<4x8xf32> to vector<8x4xf32>
  %1 = vector.constant_mask [2, 3] : vector<4x8xi1>
  %2 = vector.vscale
  %3 = vector.step : vector<4xindex>
  %4 = vector.from_elements %x, %x : vector<2xf32>
  return
}
