// RUN: %headrace-opt %s --elide-timepoints --keep-names | %filecheck %s

// A join loses what another operand covers; the host waits for the last.
// CHECK-LABEL: @chain
// CHECK: %a = stream.cmd.execute with
// CHECK: %b = stream.cmd.execute await(%a) =>
// CHECK-NOT: timepoint.join
// CHECK: stream.timepoint.await %b => %r
util.func private @chain(%r: !stream.resource<external>, %s: index) -> !stream.resource<external> {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %now = stream.timepoint.immediate => !stream.timepoint
  %a = stream.cmd.execute await(%now) => with(%r as %x: !stream.resource<external>{%s}) {
    stream.cmd.fill %one, %x[%c0 for %s] : i32 -> !stream.resource<external>{%s}
  } => !stream.timepoint
  %b = stream.cmd.execute await(%a) => with(%r as %x: !stream.resource<external>{%s}) {
    stream.cmd.fill %one, %x[%c0 for %s] : i32 -> !stream.resource<external>{%s}
  } => !stream.timepoint
  %j = stream.timepoint.join max(%now, %a, %b) => !stream.timepoint
  %w = stream.timepoint.await %j => %r : !stream.resource<external>{%s}
  util.return %w : !stream.resource<external>
}

// A wait that is taken over by device work is joined to the one that is there.
// CHECK-LABEL: @lost_wait
// CHECK: %[[J:.*]] = stream.timepoint.join max(%tx, %ty)
// CHECK: stream.cmd.execute await(%[[J]]) => with(%r as
util.func private @lost_wait(%r: !stream.resource<external>, %q: !stream.resource<external>, %s: index, %tx: !stream.timepoint, %ty: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %r1 = stream.timepoint.await %ty => %r : !stream.resource<external>{%s}
  %t = stream.cmd.execute await(%tx) => with(%r1 as %a: !stream.resource<external>{%s}, %q as %b: !stream.resource<external>{%s}) {
    stream.cmd.copy %a[%c0], %b[%c0], %s : !stream.resource<external>{%s} -> !stream.resource<external>{%s}
  } => !stream.timepoint
  util.return %t : !stream.timepoint
}

// What covers more is kept, not what covers less.
// CHECK-LABEL: @wrong_cover
// CHECK: %t0 = stream.cmd.execute with
// CHECK: %t1 = stream.cmd.execute await(%t0)
// CHECK: %t2 = stream.cmd.execute await(%t1) => with(%r as
util.func private @wrong_cover(%r: !stream.resource<external>, %s: index) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c1_i32 = arith.constant 1 : i32
  %t0 = stream.cmd.execute with(%r as %a: !stream.resource<external>{%s}) {
    stream.cmd.fill %c1_i32, %a[%c0 for %s] : i32 -> !stream.resource<external>{%s}
  } => !stream.timepoint
  %t1 = stream.cmd.execute await(%t0) => with(%r as %a: !stream.resource<external>{%s}) {
    stream.cmd.fill %c1_i32, %a[%c0 for %s] : i32 -> !stream.resource<external>{%s}
  } => !stream.timepoint
  %r1 = stream.timepoint.await %t1 => %r : !stream.resource<external>{%s}
  %t2 = stream.cmd.execute await(%t0) => with(%r1 as %a: !stream.resource<external>{%s}) {
    stream.cmd.discard %a[%c0 for %s] : !stream.resource<external>{%s}
  } => !stream.timepoint
  util.return %t2 : !stream.timepoint
}

// An execution without work still stands for what it awaits.
// CHECK-LABEL: @empty
// CHECK: %e = stream.cmd.execute await(%t) =>
// CHECK: stream.timepoint.await %e
util.func private @empty(%r: !stream.resource<external>, %s: index, %t: !stream.timepoint) -> !stream.resource<external> {
  %e = stream.cmd.execute await(%t) => with() {
  } => !stream.timepoint
  %w = stream.timepoint.await %e => %r : !stream.resource<external>{%s}
  util.return %w : !stream.resource<external>
}

// The host submits the second execution before it waits for the first; what it has waited for is not awaited again.
// CHECK-LABEL: @host
// CHECK: %a = stream.cmd.execute with
// CHECK: %b = stream.cmd.execute with
// CHECK: %w = stream.timepoint.await %a
// CHECK: stream.resource.load
// CHECK: %c = stream.cmd.execute with
// CHECK: stream.timepoint.join max(%b, %c)
util.func private @host(%r: !stream.resource<staging>, %q: !stream.resource<external>, %p: !stream.resource<external>, %s: index) -> (f32, !stream.timepoint) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %a = stream.cmd.execute with(%r as %x: !stream.resource<staging>{%s}, %p as %y: !stream.resource<external>{%s}) {
    stream.cmd.copy %y[%c0], %x[%c0], %s : !stream.resource<external>{%s} -> !stream.resource<staging>{%s}
  } => !stream.timepoint
  %w = stream.timepoint.await %a => %r : !stream.resource<staging>{%s}
  %b = stream.cmd.execute with(%q as %x: !stream.resource<external>{%s}) {
    stream.cmd.fill %one, %x[%c0 for %s] : i32 -> !stream.resource<external>{%s}
  } => !stream.timepoint
  %v = stream.resource.load %w[%c0] : !stream.resource<staging>{%s} -> f32
  %c = stream.cmd.execute await(%a) => with(%r as %x: !stream.resource<staging>{%s}, %p as %y: !stream.resource<external>{%s}) {
    stream.cmd.copy %x[%c0], %y[%c0], %s : !stream.resource<staging>{%s} -> !stream.resource<external>{%s}
  } => !stream.timepoint
  %j = stream.timepoint.join max(%a, %b, %c) => !stream.timepoint
  util.return %v, %j : f32, !stream.timepoint
}

// Through a loop: each iteration covers the one before and what came in.
// CHECK-LABEL: @loop
// CHECK: %l = scf.for
// CHECK: stream.cmd.execute await(%l) =>
util.func private @loop(%r: !stream.resource<external>, %s: index, %n: index, %t: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %l = scf.for %i = %c0 to %n step %c1 iter_args(%p = %t) -> (!stream.timepoint) {
    %e = stream.cmd.execute await(%p) => with(%r as %x: !stream.resource<external>{%s}) {
      stream.cmd.fill %one, %x[%c0 for %s] : i32 -> !stream.resource<external>{%s}
    } => !stream.timepoint
    scf.yield %e : !stream.timepoint
  }
  %j = stream.timepoint.join max(%t, %l) => !stream.timepoint
  %u = stream.cmd.execute await(%j) => with(%r as %x: !stream.resource<external>{%s}) {
    stream.cmd.discard %x[%c0 for %s] : !stream.resource<external>{%s}
  } => !stream.timepoint
  util.return %u : !stream.timepoint
}
