// RUN: %headrace-opt %s --keep-names | %headrace-opt - --keep-names | %filecheck %s

// CHECK: util.func private @time(%f: !hal.fence, %g: !hal.fence, %r: !stream.resource<external>, %s: index) -> (!stream.resource<external>, !hal.fence) {
// CHECK: %now = stream.timepoint.immediate => !stream.timepoint
// CHECK: %t0 = stream.timepoint.import %f : (!hal.fence) => !stream.timepoint
// CHECK: %r1:2 = stream.timepoint.barrier %r : !stream.resource<external>{%s} => !stream.timepoint
// CHECK: %j = stream.timepoint.join max(%now, %t0, %r1#1) => !stream.timepoint
// CHECK: stream.timepoint.chain_external %j => (%g : !hal.fence)
// CHECK: %x = stream.timepoint.export %j => (!hal.fence)
// CHECK: %r2 = stream.timepoint.await sync %j => %r1#0 : !stream.resource<external>{%s}
// CHECK: util.return %r2, %x : !stream.resource<external>, !hal.fence

util.func private @time(%f: !hal.fence, %g: !hal.fence, %r: !stream.resource<external>, %s: index) -> (!stream.resource<external>, !hal.fence) {
  %now = stream.timepoint.immediate => !stream.timepoint
  %t0 = stream.timepoint.import %f : (!hal.fence) => !stream.timepoint
  %r1, %t1 = stream.timepoint.barrier %r : !stream.resource<external>{%s} => !stream.timepoint
  %j = stream.timepoint.join max(%now, %t0, %t1) => !stream.timepoint
  stream.timepoint.chain_external %j => (%g : !hal.fence)
  %x = stream.timepoint.export %j => (!hal.fence)
  %r2 = stream.timepoint.await sync %j => %r1 : !stream.resource<external>{%s}
  util.return %r2, %x : !stream.resource<external>, !hal.fence
}
