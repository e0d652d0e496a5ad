// Patterns of a device.
// RUN: %headrace-opt %s | %headrace-opt | %filecheck %s
// RUN: %headrace-opt %s --mlir-print-op-generic | %headrace-opt | %filecheck %s

// CHECK: patterns ["pre_mapping", "post_lowering"] {
ktdf_arch.device @toy {
  %m = memory {kind = "MAIN", size = 4096}
  patterns ["pre_mapping", "post_lowering"] {
    pdl.pattern : benefit(1) {
      %op = operation "math.exp"
      rewrite %op with "r"
    }
  }
}
