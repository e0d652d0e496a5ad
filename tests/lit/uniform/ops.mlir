// RUN: headrace-opt %s | headrace-opt | filecheck %s
// RUN: %headrace-opt %s --mlir-print-op-generic | %headrace-opt | %filecheck %s

func.func @maps() {
  %a = dataflow.get_unit {name = "C0-sfu", type = "sfu"} : index
  %b = dataflow.get_unit {name = "C1-sfu", type = "sfu"} : index
  %x = arith.constant 1.0 : f32
  %y = arith.constant 2.0 : f32
  // CHECK: %[[M:.*]] = uniform.def_immutable_mapping([%[[A:.*]] -> %[[B:.*]]], [%[[B]] -> %[[A]]]):index
  %m = uniform.def_immutable_mapping([%a -> %b], [%b -> %a]):index
  // CHECK: %[[V:.*]] = uniform.def_immutable_mapping([%[[A]] -> %{{.*}}], [%[[B]] -> %{{.*}}]):index, f32
  %v = uniform.def_immutable_mapping([%a -> %x], [%b -> %y]):index, f32
  dataflow.program_unit iter_arg : %u -> (%a, %b) : {
    // CHECK: uniform.query_map(map:%[[M]], key:%{{.*}}) : index
    %p = uniform.query_map(map:%m, key:%u) : index
    // CHECK: uniform.query_map(map:%[[V]], key:%{{.*}}) : f32
    %q = uniform.query_map(map:%v, key:%u) : f32
  }
  // CHECK: uniform.uniformize_regions -> index { (%{{.*}} -> %[[A]]) {
  // CHECK-NEXT: uniform.yield %{{.*}} : index
  // CHECK: } (%{{.*}} -> %[[B]]) {
  %r = uniform.uniformize_regions -> index {
    (%i -> %a) { uniform.yield %i : index }
    (%j -> %b) { uniform.yield %a : index }
  }
  // CHECK: uniform.equalize_pattern { (%{{.*}} -> %[[A]]) {
  uniform.equalize_pattern {
    (%i -> %a) {
      %c = arith.constant 1 : index
      uniform.yield
    }
    (%j -> %b) {
      %d = arith.constant 2 : index
      uniform.yield
    }
  }
  return
}
