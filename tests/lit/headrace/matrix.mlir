// RUN: headrace-opt %s | headrace-opt | filecheck %s
// RUN: %headrace-opt %s --mlir-print-op-generic | %headrace-opt | %filecheck %s

func.func @steps(%w: vector<64xf16>, %x: vector<64xf16>, %t: tensor<64xf16>, %v: vector<64xf32>, %r: index) {
  // CHECK: headrace.matrix_setup {k = 8 : i64, n = 64 : i64, rows = 64 : i64}
  headrace.matrix_setup {k = 8 : i64, n = 64 : i64, rows = 64 : i64}
  // CHECK: headrace.matrix_clear {rows = 16 : i64}
  headrace.matrix_clear {rows = 16 : i64}
  // CHECK: headrace.matrix_load %arg3, %arg4 : vector<64xf32>
  headrace.matrix_load %v, %r : vector<64xf32>
  // CHECK: headrace.matrix_fill %arg0 {at = 3 : i64} : vector<64xf16>
  headrace.matrix_fill %w {at = 3 : i64} : vector<64xf16>
  // CHECK: headrace.matrix_fill %arg2 {at = 8 : i64, count = 8 : i64, order = "column"} : tensor<64xf16>
  headrace.matrix_fill %t {at = 8 : i64, count = 8 : i64, order = "column"} : tensor<64xf16>
  // CHECK: headrace.matrix_swap
  headrace.matrix_swap
  // CHECK: headrace.matrix_multiply %arg1, %arg4 {rows = 8 : i64} : vector<64xf16>
  headrace.matrix_multiply %x, %r {rows = 8 : i64} : vector<64xf16>
  // CHECK: headrace.matrix_multiply %arg1, %arg4 {order = "column", rows = 8 : i64} : vector<64xf16>
  headrace.matrix_multiply %x, %r {rows = 8 : i64, order = "column"} : vector<64xf16>
  // CHECK: headrace.matrix_read %arg4 : vector<64xf32>
  %y = headrace.matrix_read %r : vector<64xf32>
  return
}
