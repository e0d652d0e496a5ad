// memref, tensor, arith and math.
// RUN: %headrace-opt %s | %headrace-opt | %filecheck %s
// RUN: %headrace-opt %s --mlir-print-op-generic | %headrace-opt | %filecheck %s

#map = affine_map<(d0, d1) -> (d1, d0)>
module {
  func.func @f(%arg0: index, %arg1: memref<4x8xf32>, %arg2: memref<?x64xf16, strided<[64, 1], offset: ?>, 1>, %arg3: f32, %arg4: memref<4x8xf32, #map>) {
    %c0 = arith.constant 0 : index
    %alloc = memref.alloc() : memref<4x8xf32>
    %alloc_0 = memref.alloc(%arg0) {alignment = 128 : i64} : memref<?x8xf32>
    %cast = memref.cast %alloc : memref<4x8xf32> to memref<?x8xf32>
    %memspacecast = memref.memory_space_cast %alloc : memref<4x8xf32> to memref<4x8xf32, 1>
    %reinterpret_cast = memref.reinterpret_cast %alloc to offset: [%arg0], sizes: [2, 4], strides: [8, 1] : memref<4x8xf32> to memref<2x4xf32, strided<[8, 1], offset: ?>>
    %subview = memref.subview %alloc[0, %arg0] [2, 4] [1, 1] : memref<4x8xf32> to memref<2x4xf32, strided<[8, 1], offset: ?>>
    memref.copy %arg1, %alloc : memref<4x8xf32> to memref<4x8xf32>
    %0 = memref.load %alloc[%c0, %arg0] : memref<4x8xf32>
    memref.store %0, %alloc[%c0, %arg0] : memref<4x8xf32>
    %dim = memref.dim %alloc_0, %c0 : memref<?x8xf32>
    memref.dealloc %alloc : memref<4x8xf32>
    %1 = builtin.unrealized_conversion_cast %arg0 : index to memref<4xf16, 1>
    %2 = tensor.empty(%arg0) : tensor<?x8xf32>
    %splat = tensor.splat %arg3 : tensor<4xf32>
    %splat_1 = tensor.splat %arg3[%arg0] : tensor<?xf32>
    %from_elements = tensor.from_elements %arg0, %c0 : tensor<2xindex>
    %extracted = tensor.extract %from_elements[%c0] : tensor<2xindex>
    %inserted = tensor.insert %arg0 into %from_elements[%c0] : tensor<2xindex>
    %cst = arith.constant dense<0.000000e+00> : tensor<8x4xf32>
    %cst_2 = arith.constant dense<32> : tensor<1xindex>
    %cst_3 = arith.constant dense<[6, 4096]> : tensor<2xindex>
    %cst_4 = arith.constant dense<0xFF800000> : tensor<4xf32>
    %reshape = tensor.reshape %cst(%cst_2) : (tensor<8x4xf32>, tensor<1xindex>) -> tensor<32xf32>
    %expanded = tensor.expand_shape %reshape [[0, 1, 2]] output_shape [1, 8, 4] : tensor<32xf32> into tensor<1x8x4xf32>
    %collapsed = tensor.collapse_shape %expanded [[0], [1, 2]] : tensor<1x8x4xf32> into tensor<1x32xf32>
    %extracted_slice = tensor.extract_slice %cst[0, %arg0] [2, 2] [1, 1] : tensor<8x4xf32> to tensor<2x2xf32>
    %inserted_slice = tensor.insert_slice %extracted_slice into %cst[0, 0] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<8x4xf32>
    %generated = tensor.generate %arg0 {
    ^bb0(%arg5: index, %arg6: index):
      tensor.yield %arg3 : f32
    } : tensor<?x16xf32>
    %dim_5 = tensor.dim %generated, %c0 : tensor<?x16xf32>
    %cast_6 = tensor.cast %generated : tensor<?x16xf32> to tensor<4x16xf32>
    %true = arith.constant true
    %false = arith.constant false
    %c-1 = arith.constant -1 : index
    %c7_i32 = arith.constant 7 : i32
    %cst_7 = arith.constant 0xFC00 : f16
    %cst_8 = arith.constant -1.000000e+04 : f16
    %cst_9 = arith.constant 0.333333343 : f32
    %3 = arith.addi %c7_i32, %c7_i32 overflow<nsw, nuw> : i32
    %4 = arith.shli %c7_i32, %c7_i32 : i32
    %5 = arith.truncf %arg3 : f32 to f16
    %6 = arith.truncf %arg3 to_nearest_even : f32 to f16
    %7 = arith.index_cast %arg0 : index to i32
    %8 = arith.cmpi slt, %arg0, %c0 : index
    %9 = math.fma %arg3, %arg3, %arg3 : f32
    %10 = math.powf %arg3, %arg3 fastmath<fast> : f32
    %11 = arith.negf %arg3 : f32
    return
  }
}

// CHECK:       #map = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-NEXT:  module {
// CHECK-NEXT:    func.func @f(%arg0: index, %arg1: memref<4x8xf32>, %arg2: memref<?x64xf16, strided<[64, 1], offset: ?>, 1>, %arg3: f32, %arg4: memref<4x8xf32, #map>) {
// CHECK-NEXT:      %c0 = arith.constant 0 : index
// CHECK-NEXT:      %alloc = memref.alloc() : memref<4x8xf32>
// CHECK-NEXT:      %alloc_0 = memref.alloc(%arg0) {alignment = 128 : i64} : memref<?x8xf32>
// CHECK-NEXT:      %cast = memref.cast %alloc : memref<4x8xf32> to memref<?x8xf32>
// CHECK-NEXT:      %memspacecast = memref.memory_space_cast %alloc : memref<4x8xf32> to memref<4x8xf32, 1>
// CHECK-NEXT:      %reinterpret_cast = memref.reinterpret_cast %alloc to offset: [%arg0], sizes: [2, 4], strides: [8, 1] : memref<4x8xf32> to memref<2x4xf32, strided<[8, 1], offset: ?>>
// CHECK-NEXT:      %subview = memref.subview %alloc[0, %arg0] [2, 4] [1, 1] : memref<4x8xf32> to memref<2x4xf32, strided<[8, 1], offset: ?>>
// CHECK-NEXT:      memref.copy %arg1, %alloc : memref<4x8xf32> to memref<4x8xf32>
// CHECK-NEXT:      %0 = memref.load %alloc[%c0, %arg0] : memref<4x8xf32>
// CHECK-NEXT:      memref.store %0, %alloc[%c0, %arg0] : memref<4x8xf32>
// CHECK-NEXT:      %dim = memref.dim %alloc_0, %c0 : memref<?x8xf32>
// CHECK-NEXT:      memref.dealloc %alloc : memref<4x8xf32>
// CHECK-NEXT:      %1 = builtin.unrealized_conversion_cast %arg0 : index to memref<4xf16, 1>
// CHECK-NEXT:      %2 = tensor.empty(%arg0) : tensor<?x8xf32>
// CHECK-NEXT:      %splat = tensor.splat %arg3 : tensor<4xf32>
// CHECK-NEXT:      %splat_1 = tensor.splat %arg3[%arg0] : tensor<?xf32>
// CHECK-NEXT:      %from_elements = tensor.from_elements %arg0, %c0 : tensor<2xindex>
// CHECK-NEXT:      %extracted = tensor.extract %from_elements[%c0] : tensor<2xindex>
// CHECK-NEXT:      %inserted = tensor.insert %arg0 into %from_elements[%c0] : tensor<2xindex>
// CHECK-NEXT:      %cst = arith.constant dense<0.000000e+00> : tensor<8x4xf32>
// CHECK-NEXT:      %cst_2 = arith.constant dense<32> : tensor<1xindex>
// CHECK-NEXT:      %cst_3 = arith.constant dense<[6, 4096]> : tensor<2xindex>
// CHECK-NEXT:      %cst_4 = arith.constant dense<0xFF800000> : tensor<4xf32>
// CHECK-NEXT:      %reshape = tensor.reshape %cst(%cst_2) : (tensor<8x4xf32>, tensor<1xindex>) -> tensor<32xf32>
// CHECK-NEXT:      %expanded = tensor.expand_shape %reshape {{[[][[]}}0, 1, 2]] output_shape [1, 8, 4] : tensor<32xf32> into tensor<1x8x4xf32>
// CHECK-NEXT:      %collapsed = tensor.collapse_shape %expanded {{[[][[]}}0], [1, 2]] : tensor<1x8x4xf32> into tensor<1x32xf32>
// CHECK-NEXT:      %extracted_slice = tensor.extract_slice %cst[0, %arg0] [2, 2] [1, 1] : tensor<8x4xf32> to tensor<2x2xf32>
// CHECK-NEXT:      %inserted_slice = tensor.insert_slice %extracted_slice into %cst[0, 0] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<8x4xf32>
// CHECK-NEXT:      %generated = tensor.generate %arg0 {
// CHECK-NEXT:      ^bb0(%arg5: index, %arg6: index):
// CHECK-NEXT:        tensor.yield %arg3 : f32
// CHECK-NEXT:      } : tensor<?x16xf32>
// CHECK-NEXT:      %dim_5 = tensor.dim %generated, %c0 : tensor<?x16xf32>
// CHECK-NEXT:      %cast_6 = tensor.cast %generated : tensor<?x16xf32> to tensor<4x16xf32>
// CHECK-NEXT:      %true = arith.constant true
// CHECK-NEXT:      %false = arith.constant false
// CHECK-NEXT:      %c-1 = arith.constant -1 : index
// CHECK-NEXT:      %c7_i32 = arith.constant 7 : i32
// CHECK-NEXT:      %cst_7 = arith.constant 0xFC00 : f16
// CHECK-NEXT:      %cst_8 = arith.constant -1.000000e+04 : f16
// CHECK-NEXT:      %cst_9 = arith.constant 0.333333343 : f32
// CHECK-NEXT:      %3 = arith.addi %c7_i32, %c7_i32 overflow<nsw, nuw> : i32
// CHECK-NEXT:      %4 = arith.shli %c7_i32, %c7_i32 : i32
// CHECK-NEXT:      %5 = arith.truncf %arg3 : f32 to f16
// CHECK-NEXT:      %6 = arith.truncf %arg3 to_nearest_even : f32 to f16
// CHECK-NEXT:      %7 = arith.index_cast %arg0 : index to i32
// CHECK-NEXT:      %8 = arith.cmpi slt, %arg0, %c0 : index
// CHECK-NEXT:      %9 = math.fma %arg3, %arg3, %arg3 : f32
// CHECK-NEXT:      %10 = math.powf %arg3, %arg3 fastmath<fast> : f32
// CHECK-NEXT:      %11 = arith.negf %arg3 : f32
// CHECK-NEXT:      return
// CHECK-NEXT:    }
// CHECK-NEXT:  }
