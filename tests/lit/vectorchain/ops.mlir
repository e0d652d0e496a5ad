// RUN: headrace-opt %s | headrace-opt | filecheck %s
// RUN: %headrace-opt %s --mlir-print-op-generic | %headrace-opt | %filecheck %s

#id = affine_map<(d0) -> (d0)>
func.func @ops(%a: vector<64xf16>, %b: vector<64xf16>, %c: vector<64xi1>, %s: vector<1xf16>, %p: index) {
  // CHECK: vectorchain.binary %arg0, %arg1 {binary_op = #vectorchain<binary_operator mul>, op_specific_map = #map} : vector<64xf16>, vector<64xf16>, vector<64xf16>
  %0 = vectorchain.binary %a, %b {binary_op = #vectorchain<binary_operator mul>, op_specific_map = #id} : vector<64xf16>, vector<64xf16>, vector<64xf16>
  // CHECK: vectorchain.binary %arg0, %arg1 [%arg2 : vector<64xi1>] {binary_op = #vectorchain<binary_operator mul_div2>, op_specific_map = #map}
  %1 = vectorchain.binary %a, %b [%c : vector<64xi1>] {binary_op = #vectorchain<binary_operator mul_div2>, op_specific_map = #id} : vector<64xf16>, vector<64xf16>, vector<64xf16>
  // CHECK: vectorchain.multiply %arg0, %arg1 {reduction_map = #map} : vector<64xf16>, vector<64xf16>, vector<64xf16>
  %2 = vectorchain.multiply %a, %b {reduction_map = #id} : vector<64xf16>, vector<64xf16>, vector<64xf16>
  // CHECK: vectorchain.multiply_and_accumulate %arg0, %arg1, %{{.*}} {reduction_map = #map} : vector<64xf16>, vector<64xf16>, vector<64xf16>, vector<64xf16>
  %3 = vectorchain.multiply_and_accumulate %a, %b, %2 {reduction_map = #id} : vector<64xf16>, vector<64xf16>, vector<64xf16>, vector<64xf16>
  // CHECK: vectorchain.element_wise_compare %arg0, %arg1 {compare_op = #vectorchain<element_wise_compare_operator compare_lt>} : vector<64xf16>, vector<64xf16>, vector<64xi1>
  %4 = vectorchain.element_wise_compare %a, %b {compare_op = #vectorchain<element_wise_compare_operator compare_lt>} : vector<64xf16>, vector<64xf16>, vector<64xi1>
  // CHECK: vectorchain.element_wise_selection %{{.*}} ? %arg0 : %arg1 : vector<64xi1>, vector<64xf16>, vector<64xf16>, vector<64xf16>
  %5 = vectorchain.element_wise_selection %4 ? %a : %b : vector<64xi1>, vector<64xf16>, vector<64xf16>, vector<64xf16>
  // CHECK: vectorchain.neg %arg0 [%arg2 : vector<64xi1>] : vector<64xf16>, vector<64xf16>
  %6 = vectorchain.neg %a [%c : vector<64xi1>] : vector<64xf16>, vector<64xf16>
  // CHECK: vectorchain.floor %arg0 {dbgName = "f"} : vector<64xf16>, vector<64xf16>
  %7 = vectorchain.floor %a {dbgName = "f"} : vector<64xf16>, vector<64xf16>
  // CHECK: vectorchain.exp_estimate %arg0 {version = #vectorchain<exp_estimate b>} : vector<64xf16>, vector<64xf16>
  %8 = vectorchain.exp_estimate %a {version = #vectorchain<exp_estimate b>} : vector<64xf16>, vector<64xf16>
  // CHECK: vectorchain.sigmoid_estimate %arg0 {version = #vectorchain<estimate_versions slope>} : vector<64xf16>, vector<64xf16>
  %9 = vectorchain.sigmoid_estimate %a {version = #vectorchain<estimate_versions slope>} : vector<64xf16>, vector<64xf16>
  // CHECK: vectorchain.cast %arg0 : vector<64xf16>, vector<64xf32>
  %10 = vectorchain.cast %a : vector<64xf16>, vector<64xf32>
  // CHECK: vectorchain.select %arg0 {selection_map = #map} : vector<64xf16>, vector<64xf16>
  %11 = vectorchain.select %a {selection_map = #id} : vector<64xf16>, vector<64xf16>
  // CHECK: vectorchain.create_affine_mask %arg4 {mask_set = #set} : vector<64xi1>
  %12 = vectorchain.create_affine_mask %p {mask_set = affine_set<(d0)[s0] : (-d0 + s0 - 1 >= 0)>} : vector<64xi1>
  // CHECK: vectorchain.create_affine_mask {mask_set = #set1} : vector<64xi1>
  %13 = vectorchain.create_affine_mask {mask_set = affine_set<(d0) : (-d0 + 35 >= 0)>} : vector<64xi1>
  // CHECK: vectorchain.pack %arg0, %arg1 {indices = [0 : i32, 64 : i32], repetition = 32 : index} : vector<64xf16>, vector<64xf16>, vector<64xf16>
  %14 = vectorchain.pack %a, %b {indices = [0 : i32, 64 : i32], repetition = 32 : index} : vector<64xf16>, vector<64xf16>, vector<64xf16>
  // CHECK: vectorchain.constant_bitstream {value = [0x3C00, 0xFF]} : vector<2xf16>
  %15 = vectorchain.constant_bitstream {value = [0x3C00, 0x00FF]} : vector<2xf16>
  // CHECK: vectorchain.shuffle input(%arg3) {indices = [0 : i32], repetition = 64 : i32} : vector<1xf16>, vector<64xf16>
  %16 = vectorchain.shuffle input(%s) {indices = [0 : i32], repetition = 64 : i32} : vector<1xf16>, vector<64xf16>
  // CHECK: vectorchain.scan_with_gap %arg0 {eval_order = #vectorchain<eval_order left_to_right>, gap = 1 : index, reduction_op = #vectorchain<binary_operator add>} : vector<64xf16>, vector<64xf16>
  %17 = vectorchain.scan_with_gap %a {eval_order = #vectorchain<eval_order left_to_right>, gap = 1 : index, reduction_op = #vectorchain<binary_operator add>} : vector<64xf16>, vector<64xf16>
  // CHECK: vectorchain.rotate %arg0, %arg4 {right_shift = false} : vector<64xf16>, index, vector<64xf16>
  %18 = vectorchain.rotate %a, %p {right_shift = false} : vector<64xf16>, index, vector<64xf16>
  // CHECK: vectorchain.shuffle input(%arg3), pad(%{{.*}}) {indices = [0 : i32, -1 : i32], repetition = 32 : i32} : vector<1xf16>, f16, vector<64xf16>
  %z = arith.constant 0.0 : f16
  %19 = vectorchain.shuffle input(%s), pad(%z) {indices = [0 : i32, -1 : i32], repetition = 32 : i32} : vector<1xf16>, f16, vector<64xf16>
  return
}
