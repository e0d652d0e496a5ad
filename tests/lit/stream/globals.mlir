// RUN: %headrace-opt %s --keep-names | %headrace-opt - --keep-names | %filecheck %s

// CHECK: util.global private @left : !hal.device
// CHECK: util.global private @right : !hal.device
// CHECK: util.global private mutable @state : !stream.resource<variable>
// CHECK: util.global private @ready = #stream.timepoint<immediate> : !stream.timepoint

module attributes {
  stream.affinity.default = #hal.device.affinity<@left>,
  stream.partitioning = #stream.partitioning_config<"max-concurrency">,
  stream.resources = #stream.resource_config<{
    max_allocation_size = 1073741824, min_buffer_offset_alignment = 256,
    max_buffer_range = 134217728, min_buffer_range_alignment = 16,
    index_bits = 32, alias_mutable_bindings = false, memory_model = Discrete}>,
  stream.topology = #hal.device.topology<links = [
    (@left -> @right = {unified_memory = true}),
    (@right -> @left = {unified_memory = true, transparent_access = true})]>
} {
  util.global private @left : !hal.device
  util.global private @right : !hal.device
  util.global private mutable @state : !stream.resource<variable>
  util.global private @ready = #stream.timepoint<immediate> : !stream.timepoint
}
