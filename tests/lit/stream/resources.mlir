// RUN: %headrace-opt %s --keep-names | %headrace-opt - --keep-names | %filecheck %s

// CHECK: util.func private @resources(%buf: !util.buffer, %s: index, %user: !stream.resource<transient>, %n: index) -> (!stream.resource<variable>, !stream.timepoint) {
// CHECK: %v = stream.resource.alloc uninitialized on(#hal.device.affinity<@left>) : !stream.resource<variable>{%c64}
// CHECK: %total:3 = stream.resource.pack slices({
// CHECK: %a:2 = stream.resource.alloca uninitialized : !stream.resource<transient>{%total#0} => !stream.timepoint
// CHECK: %b:2 = stream.resource.alloca uninitialized indeterminate on(#hal.device.affinity<@left>) await(%a#1) => !stream.resource<external>{%s} => !stream.timepoint
// CHECK: %w = stream.resource.subview %a#0[%total#2] : !stream.resource<transient>{%total#0} -> !stream.resource<transient>{%c64}
// CHECK: %z = stream.resource.size %w : !stream.resource<transient>
// CHECK: %d = stream.resource.dealloca origin await(%b#1) => %a#0 : !stream.resource<transient>{%total#0} => !stream.timepoint
// CHECK: %k0:3 = stream.resource.constants on(#hal.device.affinity<@left>) :
// CHECK: %ok:2 = stream.resource.try_map %buf[%c0] : !util.buffer -> i1, !stream.resource<constant>{%c64}
// CHECK: %f = stream.file.constant %buf[%c0 for %c64] : !util.buffer{%c64} -> !stream.file
// CHECK: %rt = stream.file.read await(%k0#2) => %f[%c0_i64], %v[%c0], %c64 : !stream.file -> !stream.resource<variable>{%c64} => !stream.timepoint
// CHECK: %x:2 = stream.resource.transients await(%rt) => %v : !stream.resource<variable>{%c64} from %user : !stream.resource<transient>{%n} => !stream.timepoint
// CHECK: stream.resource.retain %x#0 : !stream.resource<variable>{%c64}
// CHECK: %last = stream.resource.is_terminal %x#0 : !stream.resource<variable>{%c64}
// CHECK: %gone = stream.resource.release %x#0 : !stream.resource<variable>{%c64}
// CHECK: %h = stream.resource.alloc : !stream.resource<staging>{%c64}
// CHECK: stream.resource.store %c5_i32, %h[%c0] : i32 -> !stream.resource<staging>{%c64}
// CHECK: %l = stream.resource.load %h[%c0] : !stream.resource<staging>{%c64} -> i32
// CHECK: %j = stream.timepoint.join max(%d, %x#1) => !stream.timepoint
// CHECK: util.return %x#0, %j : !stream.resource<variable>, !stream.timepoint

util.func private @resources(%buf: !util.buffer, %s: index, %user: !stream.resource<transient>, %n: index) -> (!stream.resource<variable>, !stream.timepoint) {
  %c0 = arith.constant 0 : index
  %c0_i64 = arith.constant 0 : i64
  %c64 = arith.constant 64 : index
  %c5_i32 = arith.constant 5 : i32
  %v = stream.resource.alloc uninitialized on(#hal.device.affinity<@left>) : !stream.resource<variable>{%c64}
  %total, %o0, %o1 = stream.resource.pack slices({
    [0, 2] = %s,
    [3, 4] = %c64
  }) : index
  %a, %at = stream.resource.alloca uninitialized : !stream.resource<transient>{%total} => !stream.timepoint
  %b, %bt = stream.resource.alloca uninitialized indeterminate on(#hal.device.affinity<@left>) await(%at) => !stream.resource<external>{%s} => !stream.timepoint
  %w = stream.resource.subview %a[%o1] : !stream.resource<transient>{%total} -> !stream.resource<transient>{%c64}
  %z = stream.resource.size %w : !stream.resource<transient>
  %d = stream.resource.dealloca origin await(%bt) => %a : !stream.resource<transient>{%total} => !stream.timepoint
  %k0, %k1, %kt = stream.resource.constants on(#hal.device.affinity<@left>) :
    !stream.resource<constant>{%c64} = dense<1> : tensor<16xi32>,
    !stream.resource<constant>{%c64} = dense<3> : tensor<16xi32>
    => !stream.timepoint
  %ok, %m = stream.resource.try_map %buf[%c0] : !util.buffer -> i1, !stream.resource<constant>{%c64}
  %f = stream.file.constant %buf[%c0 for %c64] : !util.buffer{%c64} -> !stream.file
  %rt = stream.file.read await(%kt) => %f[%c0_i64], %v[%c0], %c64 : !stream.file -> !stream.resource<variable>{%c64} => !stream.timepoint
  %x, %xt = stream.resource.transients await(%rt) => %v : !stream.resource<variable>{%c64} from %user : !stream.resource<transient>{%n} => !stream.timepoint
  stream.resource.retain %x : !stream.resource<variable>{%c64}
  %last = stream.resource.is_terminal %x : !stream.resource<variable>{%c64}
  %gone = stream.resource.release %x : !stream.resource<variable>{%c64}
  %h = stream.resource.alloc : !stream.resource<staging>{%c64}
  stream.resource.store %c5_i32, %h[%c0] : i32 -> !stream.resource<staging>{%c64}
  %l = stream.resource.load %h[%c0] : !stream.resource<staging>{%c64} -> i32
  %j = stream.timepoint.join max(%d, %xt) => !stream.timepoint
  util.return %x, %j : !stream.resource<variable>, !stream.timepoint
}
