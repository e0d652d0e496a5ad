// Rows of a memref chosen by a table.
// RUN: %headrace-opt %s | %headrace-opt | %filecheck %s
// RUN: %headrace-opt %s --mlir-print-op-generic | %headrace-opt | %filecheck %s

func.func @f(%base: memref<1x64xf16, "DDR">, %table: memref<16x1xi32, "L1">) {
  // CHECK: ktdf.indirect_memref
  %g = ktdf.indirect_memref %base through %table rows [0] : memref<1x64xf16, "DDR">, memref<16x1xi32, "L1"> -> memref<16x1x64xf16, "DDR">
  return
}
