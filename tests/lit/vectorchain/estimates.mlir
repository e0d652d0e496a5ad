// The estimates and the merge.
// RUN: %headrace-opt %s | %headrace-opt | %filecheck %s
// RUN: %headrace-opt %s --mlir-print-op-generic | %headrace-opt | %filecheck %s

func.func @f(%v: vector<64xf16>) {
  // CHECK: vectorchain.fast_exp %{{.*}} : vector<64xf16>, vector<64xf16>
  %0 = vectorchain.fast_exp %v : vector<64xf16>, vector<64xf16>
  // CHECK: vectorchain.ln_estimate %{{.*}} : vector<64xf16>, vector<64xf16>
  %1 = vectorchain.ln_estimate %v : vector<64xf16>, vector<64xf16>
  // CHECK: vectorchain.rec_estimate %{{.*}} : vector<64xf16>, vector<64xf16>
  %2 = vectorchain.rec_estimate %v : vector<64xf16>, vector<64xf16>
  // CHECK: vectorchain.rsqrt_estimate %{{.*}} : vector<64xf16>, vector<64xf16>
  %3 = vectorchain.rsqrt_estimate %v : vector<64xf16>, vector<64xf16>
  // CHECK: vectorchain.tanh_estimate %{{.*}} {version = #vectorchain<estimate_versions slope>} : vector<64xf16>, vector<64xf16>
  %4 = vectorchain.tanh_estimate %v {version = #vectorchain<estimate_versions slope>} : vector<64xf16>, vector<64xf16>
  // CHECK: vectorchain.merge %{{.*}}, %{{.*}} {
  %5 = vectorchain.merge %v, %v {iteration_space_CA = affine_set<(d0) : (d0 >= 0, -d0 + 31 >= 0)>, access_function_CA = affine_map<(d0) -> (d0)>, access_function_A = affine_map<(d0) -> (d0)>, iteration_space_CB = affine_set<(d0) : (d0 >= 0, -d0 + 31 >= 0)>, access_function_CB = affine_map<(d0) -> (d0 + 32)>, access_function_B = affine_map<(d0) -> (d0)>} : vector<64xf16>, vector<64xf16>, vector<64xf16>
  return
}
