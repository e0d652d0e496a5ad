// RUN: headrace-opt %s | headrace-opt | filecheck %s
// RUN: %headrace-opt %s --mlir-print-op-generic | %headrace-opt | %filecheck %s

// CHECK: #[[MAP:.*]] = affine_map<(d0, d1) -> (d0 * 64 + d1)>
#row_major = affine_map<(d0, d1) -> (d0 * 64 + d1)>
func.func @units(%m: memref<4x!dataflow.custom<mxfp4>>, %k: memref<4x64xf16>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  // CHECK: %[[A:.*]] = dataflow.get_unit {core = 0 : i32, corelet = 0 : i32, name = "C0-sfu", type = "sfu"} : index
  %a = dataflow.get_unit {core = 0 : i32, corelet = 0 : i32, name = "C0-sfu", type = "sfu"} : index
  // CHECK: dataflow.get_unit {name = "steps", type = "sfu"} : index, index
  %s:2 = dataflow.get_unit {name = "steps", type = "sfu"} : index, index
  // CHECK: dataflow.get_local_unit %[[A]] {name = "sub"} : index
  %l = dataflow.get_local_unit %a {name = "sub"} : index
  // CHECK: dataflow.create_group(%[[A]], %{{.*}} : index, index) : index
  %g = dataflow.create_group(%a, %l : index, index) : index
  // CHECK: dataflow.create_multicast_group (%[[A]] -> (%{{.*}})) {count = 0 : i32, group_id = 1 : i32, num_consumers = 1 : i32} : index
  %mc = dataflow.create_multicast_group (%a -> (%l)) {count = 0 : i32, group_id = 1 : i32, num_consumers = 1 : i32} : index
  // CHECK: dataflow.program_unit iter_arg : %[[U:.*]] -> (%[[A]], %{{.*}}) : {
  dataflow.program_unit iter_arg : %u -> (%a, %l) : {
    // CHECK: dataflow.get_logical_memory_view %[[U]], %{{.*}} {headrace.start_unit = "byte", layout_map = #[[MAP]]} : index, index, memref<4x64xf16>
    %v = dataflow.get_logical_memory_view %u, %c0 {layout_map = #row_major, headrace.start_unit = "byte"} : index, index, memref<4x64xf16>
    // CHECK: dataflow.sync_recv %[[U]] {headrace.signal = 3 : i32} : index
    dataflow.sync_recv %u {headrace.signal = 3 : i32} : index
    // CHECK: %[[X:.*]] = dataflow.receive %[[U]] : vector<64xf16>
    %x = dataflow.receive %u : vector<64xf16>
    // CHECK: dataflow.send %[[U]], %[[X]] {dir = #dataflow<direction Clockwise>} : vector<64xf16>
    dataflow.send %u, %x {dir = #dataflow<direction Clockwise>} : vector<64xf16>
    // CHECK: dataflow.receive %[[U]] : !dataflow.custom_vector<128x!dataflow.custom<mxint4>>
    %y = dataflow.receive %u : !dataflow.custom_vector<128x!dataflow.custom<mxint4>>
    // CHECK: dataflow.sync_send %[[U]] {wait_immediately_for_async_transfers = true} : index
    dataflow.sync_send %u {wait_immediately_for_async_transfers = true} : index
  }
  // CHECK: dataflow.program_unit %[[A]] {precision = "fp16"} : {
  dataflow.program_unit %a {precision = "fp16"} : {
    // CHECK: dataflow.opaque {func_name = "f", parameter_dictionary = {}, read_only_register_dictionary = {r = "x"}, read_write_register_dictionary = {}}
    dataflow.opaque {func_name = "f", parameter_dictionary = {}, read_only_register_dictionary = {r = "x"}, read_write_register_dictionary = {}}
  }
  // CHECK: dataflow.implicit_sync_on_streaming_buffer %{{.*}}, %[[A]], %{{.*}} : memref<4x64xf16>, index, index
  dataflow.implicit_sync_on_streaming_buffer %k, %a, %c64 : memref<4x64xf16>, index, index
  // CHECK: dataflow.get_paged_logical_memory_view %[[A]], %{{.*}} {layout_map = #[[MAP]]} {segments = page0 : (idx_set = #{{.*}}, start_addr = %{{.*}}), page1 : (idx_set = #{{.*}}, start_addr = %{{.*}})} : index, index, memref<4x64xf16>
  %p = dataflow.get_paged_logical_memory_view %a, %c0 {layout_map = #row_major} {segments =
    page0 : (idx_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 1 >= 0)>, start_addr = %c0),
    page1 : (idx_set = affine_set<(d0, d1) : (d0 - 2 >= 0, -d0 + 3 >= 0)>, start_addr = %c64)} : index, index, memref<4x64xf16>
  return
}

// One type, two spellings.
// CHECK-LABEL: func.func @microscaling
// CHECK-SAME: !dataflow.custom<mxfp4>, %{{.*}}: !dataflow.mxfp<6>
func.func @microscaling(%a: !dataflow.mxfp<4>, %b: !dataflow.mxfp<6>) -> !dataflow.custom<mxfp4> {
  return %a : !dataflow.custom<mxfp4>
}
