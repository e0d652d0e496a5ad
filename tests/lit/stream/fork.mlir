// RUN: %headrace-opt %s --keep-names | %headrace-opt - --keep-names | %filecheck %s

// CHECK: util.func private @fork(%s: index) -> !stream.timepoint {
// CHECK: %r:2 = stream.resource.alloca uninitialized on(#hal.device.affinity<@left>) : !stream.resource<transient>{%s} => !stream.timepoint
// CHECK: %w = stream.cmd.execute await(%r#1) => with(%r#0 as %a: !stream.resource<transient>{%s}) {
// CHECK: stream.cmd.fill %c1_i32, %a[%c0 for %s] : i32 -> !stream.resource<transient>{%s}
// CHECK: stream.yield
// CHECK: %u = stream.cmd.execute await(%w) => with(%r#0 as %a: !stream.resource<transient>{%s}) {
// CHECK: stream.cmd.discard %a[%c0 for %s] : !stream.resource<transient>{%s}
// CHECK: stream.yield
// CHECK: %v = stream.cmd.execute await(%w) => with(%r#0 as %a: !stream.resource<transient>{%s}) {
// CHECK: stream.cmd.discard %a[%c0 for %s] : !stream.resource<transient>{%s}
// CHECK: stream.yield
// CHECK: %j = stream.timepoint.join max(%u, %v) => !stream.timepoint
// CHECK: util.return %j : !stream.timepoint

util.func private @fork(%s: index) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c1_i32 = arith.constant 1 : i32
  %r, %t = stream.resource.alloca uninitialized on(#hal.device.affinity<@left>) : !stream.resource<transient>{%s} => !stream.timepoint
  %w = stream.cmd.execute await(%t) => with(%r as %a: !stream.resource<transient>{%s}) {
    stream.cmd.fill %c1_i32, %a[%c0 for %s] : i32 -> !stream.resource<transient>{%s}
  } => !stream.timepoint
  %u = stream.cmd.execute await(%w) => with(%r as %a: !stream.resource<transient>{%s}) {
    stream.cmd.discard %a[%c0 for %s] : !stream.resource<transient>{%s}
  } => !stream.timepoint
  %v = stream.cmd.execute await(%w) => with(%r as %a: !stream.resource<transient>{%s}) {
    stream.cmd.discard %a[%c0 for %s] : !stream.resource<transient>{%s}
  } => !stream.timepoint
  %j = stream.timepoint.join max(%u, %v) => !stream.timepoint
  util.return %j : !stream.timepoint
}
