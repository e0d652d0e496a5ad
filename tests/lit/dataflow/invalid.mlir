// RUN: headrace-opt %s --split-input-file --verify-diagnostics

func.func @kind(%x: index) {
  // expected-error @+1 {{expected 'mxfp4', 'mxfp8' or 'mxint4' but got 'mxfp6'}}
  %v = dataflow.receive %x : vector<4x!dataflow.custom<mxfp6>>
  return
}

// -----

func.func @rank(%u: index, %s: index) {
  // expected-error @+1 {{layout_map takes 1 indices, but the view has rank 2}}
  %v = dataflow.get_logical_memory_view %u, %s {layout_map = affine_map<(d0) -> (d0)>} : index, index, memref<4x64xf16>
  return
}

// -----

func.func @pages(%u: index, %s: index) {
  // expected-error @+1 {{page start addresses should be arith::ConstantOp}}
  %p = dataflow.get_paged_logical_memory_view %u, %s {layout_map = affine_map<(d0) -> (d0)>} {segments =
    page0 : (idx_set = affine_set<(d0) : (d0 >= 0)>, start_addr = %s)} : index, index, memref<4xf16>
  return
}

// -----

func.func @rectangular(%u: index, %s: index) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{idx_set should be hyper rectangular}}
  %p = dataflow.get_paged_logical_memory_view %u, %s {layout_map = affine_map<(d0, d1) -> (d0 + d1)>} {segments =
    page0 : (idx_set = affine_set<(d0, d1) : (d0 - d1 >= 0)>, start_addr = %c0)} : index, index, memref<4x4xf16>
  return
}
