// Each operation of dataflow with something wrong about it.
// RUN: %headrace-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

func.func @f() {
  // expected-error @+1 {{'dataflow.get_unit' op requires attribute 'name'}}
  %r = dataflow.get_unit {type = "sfu"} : index
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'dataflow.get_unit' op expected at least one result}}
  "dataflow.get_unit"() <{name = "a", type = "b"}> : () -> ()
  return
}

// -----

func.func @f(%u: index) {
  // expected-error @+1 {{'dataflow.get_local_unit' op requires attribute 'name'}}
  %r = dataflow.get_local_unit %u : index
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{'dataflow.get_local_unit' op operand #0 must be index, but got 'i32'}}
  %r = "dataflow.get_local_unit"(%i) <{name = "a"}> : (i32) -> index
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{use of value '%i' expects different type than prior uses: 'index' vs 'i32'}}
  dataflow.program_unit iter_arg : %q -> (%i) : {
    }
  return
}

// -----

func.func @f(%u: index) {
  // expected-error @+1 {{'dataflow.program_unit' op expected no or one block argument of type index}}
  "dataflow.program_unit"(%u) ({
    ^bb0(%q: index, %p: index):
    "dataflow.return"() : () -> ()
    }) : (index) -> ()
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'dataflow.return' op expects parent op 'dataflow.program_unit'}}
  dataflow.return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{use of value '%i' expects different type than prior uses: 'index' vs 'i32'}}
  %r = dataflow.create_group(%i : i32) : index
  return
}

// -----

func.func @f(%u: index) {
  // expected-error @+1 {{'dataflow.create_multicast_group' op requires attribute 'count'}}
  %r = dataflow.create_multicast_group (%u -> (%u)) {group_id = 1 : i32, num_consumers = 1 : i32} : index
  return
}

// -----

func.func @f(%u: index) {
  // expected-error @+1 {{'dataflow.create_multicast_group' op attribute 'num_consumers' failed to satisfy constraint: 32-bit signless integer attribute}}
  %r = dataflow.create_multicast_group (%u -> (%u)) {count = 0 : i32, group_id = 1 : i32, num_consumers = 1 : i64} : index
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{'dataflow.sync_send' op operand #0 must be index, but got 'i32'}}
  "dataflow.sync_send"(%i) : (i32) -> ()
  return
}

// -----

func.func @f(%u: index) {
  // expected-error @+1 {{'dataflow.sync_send' op attribute 'wait_immediately_for_async_transfers' failed to satisfy constraint: bool attribute}}
  dataflow.sync_send %u {wait_immediately_for_async_transfers = 3 : i32} : index
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{'dataflow.sync_recv' op operand #0 must be index, but got 'i32'}}
  "dataflow.sync_recv"(%i) : (i32) -> ()
  return
}

// -----

func.func @f(%u: index, %x: f32) {
  // expected-error @+1 {{'dataflow.implicit_sync_on_streaming_buffer' op operand #0 must be memref of any type values, but got 'f32'}}
  dataflow.implicit_sync_on_streaming_buffer %x, %u, %u : f32, index, index
  return
}

// -----

func.func @f(%u: index, %x: f32) {
  // expected-error @+1 {{'dataflow.send' op operand #1 must be vector of any type values or custom_vector, but got 'f32'}}
  dataflow.send %u, %x : f32
  return
}

// -----

func.func @f(%v: vector<64xf16>, %u: index) {
  // expected-error @+1 {{'dataflow.send' op attribute 'dir' failed to satisfy constraint: direction}}
  dataflow.send %u, %v {dir = 3 : i32} : vector<64xf16>
  return
}

// -----

func.func @f(%u: index) {
  // expected-error @+1 {{'dataflow.receive' op result #0 must be vector of any type values or custom_vector, but got 'f32'}}
  %r = dataflow.receive %u : f32
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'dataflow.opaque' op requires attribute 'read_write_register_dictionary'}}
  dataflow.opaque {func_name = "f"}
  return
}

// -----

func.func @f(%u: index) {
  // expected-error @+1 {{'dataflow.get_logical_memory_view' op requires attribute 'layout_map'}}
  %r = dataflow.get_logical_memory_view %u, %u : index, index, memref<4x64xf16>
  return
}

// -----

// expected-error @+1 {{a width of 9223372036854775808 fits no 64 bits}}
func.func @wide(%x: !dataflow.mxfp<9223372036854775808>) {
  return
}
