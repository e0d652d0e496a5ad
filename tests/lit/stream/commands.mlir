// RUN: %headrace-opt %s --keep-names | %headrace-opt - --keep-names | %filecheck %s

// CHECK: stream.cmd.func private @poke(%arg0[%arg1 for %arg2]: !stream.resource<*>, %arg3: i32)
// CHECK: util.func private @commands(%t: !stream.resource<transient>, %e: !stream.resource<external>, %s: index, %w: !stream.timepoint, %ch: !stream.channel) -> !stream.timepoint {
// CHECK: %r = stream.cmd.execute once on(#hal.device.affinity<@left>) await(%w) => with(%t as %a: !stream.resource<transient>{%s}, %e as %b: !stream.resource<external>{%s}) {
// CHECK: stream.cmd.invalidate from(#hal.device.affinity<@right>) %b[%c0 for %s] : !stream.resource<external>{%s}
// CHECK: stream.cmd.fill %c7_i32, %a[%c0 for %c64] : i32 -> !stream.resource<transient>{%s}
// CHECK: stream.cmd.concurrent {
// CHECK: stream.cmd.copy %a[%c0], %b[%c64], %c64 : !stream.resource<transient>{%s} -> !stream.resource<external>{%s}
// CHECK: stream.cmd.serial {
// CHECK: stream.cmd.dispatch @k::@step[%c64](%c7_i32 : i32) {
// CHECK: stream.cmd.call @poke(rw %b[%c0 for %c64], %c7_i32) : (!stream.resource<external>{%s}, i32) -> ()
// CHECK: stream.yield
// CHECK: stream.yield
// CHECK: stream.cmd.collective<all_reduce with sum : f32>[%c64] channel(%ch) {
// CHECK: stream.cmd.discard %a[%c0 for %c64] : !stream.resource<transient>{%s}
// CHECK: stream.cmd.flush to(#hal.device.affinity<@right>) %b[%c0 for %s] : !stream.resource<external>{%s}
// CHECK: stream.yield
// CHECK: util.return %r : !stream.timepoint

stream.cmd.func private @poke(%a[%o for %n]: !stream.resource<*>, %x: i32)
util.func private @commands(%t: !stream.resource<transient>, %e: !stream.resource<external>, %s: index, %w: !stream.timepoint, %ch: !stream.channel) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c7_i32 = arith.constant 7 : i32
  %r = stream.cmd.execute once on(#hal.device.affinity<@left>) await(%w) => with(%t as %a: !stream.resource<transient>{%s}, %e as %b: !stream.resource<external>{%s}) {
    stream.cmd.invalidate from(#hal.device.affinity<@right>) %b[%c0 for %s] : !stream.resource<external>{%s}
    stream.cmd.fill %c7_i32, %a[%c0 for %c64] : i32 -> !stream.resource<transient>{%s}
    stream.cmd.concurrent {
      stream.cmd.copy %a[%c0], %b[%c64], %c64 : !stream.resource<transient>{%s} -> !stream.resource<external>{%s}
      stream.cmd.serial {
        stream.cmd.dispatch @k::@step[%c64](%c7_i32 : i32) {
          ro %a[%c0 for %c64] : !stream.resource<transient>{%s},
          rw %b[%c0 for %c64] : !stream.resource<external>{%s}
        }
        stream.cmd.call @poke(rw %b[%c0 for %c64], %c7_i32) : (!stream.resource<external>{%s}, i32) -> ()
      }
    }
    stream.cmd.collective<all_reduce with sum : f32>[%c64] channel(%ch) {
      ro %a[%c0 for %c64] : !stream.resource<transient>{%s},
      wo %b[%c0 for %c64] : !stream.resource<external>{%s}
    }
    stream.cmd.discard %a[%c0 for %c64] : !stream.resource<transient>{%s}
    stream.cmd.flush to(#hal.device.affinity<@right>) %b[%c0 for %s] : !stream.resource<external>{%s}
  } => !stream.timepoint
  util.return %r : !stream.timepoint
}
