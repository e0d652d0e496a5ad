// RUN: %headrace-opt %s --keep-names | %headrace-opt - --keep-names | %filecheck %s

// CHECK: stream.async.func private @host_fn(%arg0: !stream.resource<*>, %arg1: index) -> %arg0
// CHECK: util.func private @regions(%in: !stream.resource<external>, %s: index, %t: !stream.timepoint) -> (!stream.resource<external>, !stream.timepoint) {
// CHECK: %r:2 = stream.async.execute on(#hal.device.affinity<@left>) await(%t) => with(%in as %x: !stream.resource<external>{%s}) -> !stream.resource<external>{%s} {
// CHECK: %p:2 = stream.async.concurrent with(%x as %y: !stream.resource<external>{%s}) -> (!stream.resource<transient>{%s}, !stream.resource<transient>{%s}) {
// CHECK: %a = stream.async.dispatch @k::@sin(%y[%c0 to %s for %s]) : (!stream.resource<external>{%s}) -> !stream.resource<transient>{%s}
// CHECK: %b = stream.async.dispatch @k::@cos[%s](%y[%c0 to %s for %s], %s) : (!stream.resource<external>{%s}, index) -> !stream.resource<transient>{%s}
// CHECK: stream.yield %a, %b : !stream.resource<transient>{%s}, !stream.resource<transient>{%s}
// CHECK: %q = stream.async.call @host_fn(%p#0[%c0 to %s for %s], %s) : (!stream.resource<transient>{%s}, index) -> %p#0{%s}
// CHECK: %o = stream.async.dispatch @k::@mul(%q[%c0 to %s for %s], %p#1[%c0 to %s for %s]) : (!stream.resource<transient>{%s}, !stream.resource<transient>{%s}) -> !stream.resource<external>{%s}
// CHECK: stream.yield %o : !stream.resource<external>{%s}
// CHECK: util.return %r#0, %r#1 : !stream.resource<external>, !stream.timepoint

stream.async.func private @host_fn(%x: !stream.resource<*>, %n: index) -> %x
util.func private @regions(%in: !stream.resource<external>, %s: index, %t: !stream.timepoint) -> (!stream.resource<external>, !stream.timepoint) {
  %c0 = arith.constant 0 : index
  %r, %rt = stream.async.execute on(#hal.device.affinity<@left>) await(%t) => with(%in as %x: !stream.resource<external>{%s}) -> !stream.resource<external>{%s} {
    %p:2 = stream.async.concurrent with(%x as %y: !stream.resource<external>{%s}) -> (!stream.resource<transient>{%s}, !stream.resource<transient>{%s}) {
      %a = stream.async.dispatch @k::@sin(%y[%c0 to %s for %s]) : (!stream.resource<external>{%s}) -> !stream.resource<transient>{%s}
      %b = stream.async.dispatch @k::@cos[%s](%y[%c0 to %s for %s], %s) : (!stream.resource<external>{%s}, index) -> !stream.resource<transient>{%s}
      stream.yield %a, %b : !stream.resource<transient>{%s}, !stream.resource<transient>{%s}
    }
    %q = stream.async.call @host_fn(%p#0[%c0 to %s for %s], %s) : (!stream.resource<transient>{%s}, index) -> %p#0{%s}
    %o = stream.async.dispatch @k::@mul(%q[%c0 to %s for %s], %p#1[%c0 to %s for %s]) : (!stream.resource<transient>{%s}, !stream.resource<transient>{%s}) -> !stream.resource<external>{%s}
    stream.yield %o : !stream.resource<external>{%s}
  } => !stream.timepoint
  util.return %r, %rt : !stream.resource<external>, !stream.timepoint
}
