// RUN: %headrace-opt %s --reuse-allocations --keep-names | %filecheck %s

// The second allocation is made when the first buffer's last use is over.
// CHECK-LABEL: @reuse
// CHECK: stream.resource.alloca
// CHECK: %u = stream.cmd.execute
// CHECK-NOT: stream.resource.alloca
// CHECK: %v = stream.cmd.execute await(%u) => with(%[[R:.*]]#0 as
// CHECK: stream.resource.dealloca await(%v) => %[[R]]#0
util.func private @reuse(%s: index) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %r, %t = stream.resource.alloca uninitialized : !stream.resource<transient>{%s} => !stream.timepoint
  %u = stream.cmd.execute await(%t) => with(%r as %a: !stream.resource<transient>{%s}) {
    stream.cmd.fill %one, %a[%c0 for %s] : i32 -> !stream.resource<transient>{%s}
  } => !stream.timepoint
  %d = stream.resource.dealloca await(%u) => %r : !stream.resource<transient>{%s} => !stream.timepoint
  %q, %w = stream.resource.alloca uninitialized await(%u) => !stream.resource<transient>{%s} => !stream.timepoint
  %v = stream.cmd.execute await(%w) => with(%q as %a: !stream.resource<transient>{%s}) {
    stream.cmd.fill %one, %a[%c0 for %s] : i32 -> !stream.resource<transient>{%s}
  } => !stream.timepoint
  %e = stream.resource.dealloca await(%v) => %q : !stream.resource<transient>{%s} => !stream.timepoint
  util.return %e : !stream.timepoint
}

// Not where it would not wait, for another lifetime, another size or another device.
// CHECK-LABEL: @apart
// CHECK-COUNT-5: stream.resource.alloca
util.func private @apart(%s: index, %n: index) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %r, %t = stream.resource.alloca uninitialized : !stream.resource<transient>{%s} => !stream.timepoint
  %u = stream.cmd.execute await(%t) => with(%r as %a: !stream.resource<transient>{%s}) {
    stream.cmd.fill %one, %a[%c0 for %s] : i32 -> !stream.resource<transient>{%s}
  } => !stream.timepoint
  %d = stream.resource.dealloca await(%u) => %r : !stream.resource<transient>{%s} => !stream.timepoint
  %q0, %w0 = stream.resource.alloca uninitialized : !stream.resource<transient>{%s} => !stream.timepoint
  %q1, %w1 = stream.resource.alloca uninitialized await(%u) => !stream.resource<external>{%s} => !stream.timepoint
  %q2, %w2 = stream.resource.alloca uninitialized await(%u) => !stream.resource<transient>{%n} => !stream.timepoint
  %q3, %w3 = stream.resource.alloca uninitialized on(#hal.device.affinity<@other>) await(%u) => !stream.resource<transient>{%s} => !stream.timepoint
  %j = stream.timepoint.join max(%w0, %w1, %w2, %w3) => !stream.timepoint
  util.return %j : !stream.timepoint
}
