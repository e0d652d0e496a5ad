// RUN: %headrace-opt %s --keep-names | %headrace-opt - --keep-names | %filecheck %s

// CHECK: util.func private @lost_wait(%r: !stream.resource<external>, %q: !stream.resource<external>, %s: index, %tx: !stream.timepoint, %ty: !stream.timepoint) -> !stream.timepoint {
// CHECK: %r1 = stream.timepoint.await %ty => %r : !stream.resource<external>{%s}
// CHECK: %t = stream.cmd.execute await(%tx) => with(%r1 as %a: !stream.resource<external>{%s}, %q as %b: !stream.resource<external>{%s}) {
// CHECK: stream.cmd.copy %a[%c0], %b[%c0], %s : !stream.resource<external>{%s} -> !stream.resource<external>{%s}
// CHECK: stream.yield
// CHECK: util.return %t : !stream.timepoint
// CHECK: util.func private @wrong_cover(%r: !stream.resource<external>, %s: index) -> !stream.timepoint {
// CHECK: %t0 = stream.cmd.execute with(%r as %a: !stream.resource<external>{%s}) {
// CHECK: stream.cmd.fill %c1_i32, %a[%c0 for %s] : i32 -> !stream.resource<external>{%s}
// CHECK: stream.yield
// CHECK: %t1 = stream.cmd.execute await(%t0) => with(%r as %a: !stream.resource<external>{%s}) {
// CHECK: stream.cmd.fill %c1_i32, %a[%c0 for %s] : i32 -> !stream.resource<external>{%s}
// CHECK: stream.yield
// CHECK: %r1 = stream.timepoint.await %t1 => %r : !stream.resource<external>{%s}
// CHECK: %t2 = stream.cmd.execute await(%t0) => with(%r1 as %a: !stream.resource<external>{%s}) {
// CHECK: stream.cmd.discard %a[%c0 for %s] : !stream.resource<external>{%s}
// CHECK: stream.yield
// CHECK: util.return %t2 : !stream.timepoint

util.func private @lost_wait(%r: !stream.resource<external>, %q: !stream.resource<external>, %s: index, %tx: !stream.timepoint, %ty: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %r1 = stream.timepoint.await %ty => %r : !stream.resource<external>{%s}
  %t = stream.cmd.execute await(%tx) => with(%r1 as %a: !stream.resource<external>{%s}, %q as %b: !stream.resource<external>{%s}) {
    stream.cmd.copy %a[%c0], %b[%c0], %s : !stream.resource<external>{%s} -> !stream.resource<external>{%s}
  } => !stream.timepoint
  util.return %t : !stream.timepoint
}
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
