// RUN: %headrace-opt %s --keep-names | %headrace-opt - --keep-names | %filecheck %s

// CHECK: util.func private @async_data(%in: !stream.resource<external>, %s: index, %ch: !stream.channel) -> !stream.resource<external> {
// CHECK: %a = stream.async.alloca : !stream.resource<transient>{%c64}
// CHECK: %k = stream.async.constant : !stream.resource<constant>{%c64} = dense<2> : tensor<16xi32>
// CHECK: %z = stream.async.splat %c9_i32 : i32 -> !stream.resource<transient>{%c64}
// CHECK: %y = stream.async.clone %z : !stream.resource<transient>{%c64} -> !stream.resource<transient>{%c64}
// CHECK: %h = stream.async.slice %y[%c32 to %c64] : !stream.resource<transient>{%c64} -> !stream.resource<transient>{%c32}
// CHECK: %f = stream.async.fill %c9_i32, %y[%c0 to %c32 for %c32] : i32 -> %y as !stream.resource<transient>{%c64}
// CHECK: %u = stream.async.update %h, %f[%c32 to %c64] : !stream.resource<transient>{%c32} -> %f as !stream.resource<transient>{%c64}
// CHECK: %c = stream.async.copy %k[%c0 to %c32], %u[%c32 to %c64], %c32 : !stream.resource<constant>{%c64} -> %u as !stream.resource<transient>{%c64}
// CHECK: %r = stream.async.collective<all_reduce with sum : f32>[%c64] channel(%ch) %c[%c0 to %c64 for %c64], %a[%c0 to %c64 for %c64] : !stream.resource<transient>{%c64} -> %a as !stream.resource<transient>{%c64}
// CHECK: %b = stream.async.barrier on(#hal.device.affinity<@left>) %r : !stream.resource<transient>{%c64}
// CHECK: %t = stream.async.transfer on(#hal.device.affinity<@right>) %b : !stream.resource<transient>{%c64} from(#hal.device.affinity<@left>) -> to(#hal.device.affinity<@right>) !stream.resource<external>{%c64}
// CHECK: %g = stream.async.transfer %t : !stream.resource<external>{%c64} from(#hal.device.affinity<@right>) -> !stream.resource<staging>{%c64}
// CHECK: %l = stream.async.load %g[%c0] : !stream.resource<staging>{%c64} -> f32
// CHECK: %w = stream.async.store %l, %g[%c32] : f32 -> %g as !stream.resource<staging>{%c64}
// CHECK: util.return %t : !stream.resource<external>

util.func private @async_data(%in: !stream.resource<external>, %s: index, %ch: !stream.channel) -> !stream.resource<external> {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c9_i32 = arith.constant 9 : i32
  %a = stream.async.alloca : !stream.resource<transient>{%c64}
  %k = stream.async.constant : !stream.resource<constant>{%c64} = dense<2> : tensor<16xi32>
  %z = stream.async.splat %c9_i32 : i32 -> !stream.resource<transient>{%c64}
  %y = stream.async.clone %z : !stream.resource<transient>{%c64} -> !stream.resource<transient>{%c64}
  %h = stream.async.slice %y[%c32 to %c64] : !stream.resource<transient>{%c64} -> !stream.resource<transient>{%c32}
  %f = stream.async.fill %c9_i32, %y[%c0 to %c32 for %c32] : i32 -> %y as !stream.resource<transient>{%c64}
  %u = stream.async.update %h, %f[%c32 to %c64] : !stream.resource<transient>{%c32} -> %f as !stream.resource<transient>{%c64}
  %c = stream.async.copy %k[%c0 to %c32], %u[%c32 to %c64], %c32 : !stream.resource<constant>{%c64} -> %u as !stream.resource<transient>{%c64}
  %r = stream.async.collective<all_reduce with sum : f32>[%c64] channel(%ch) %c[%c0 to %c64 for %c64], %a[%c0 to %c64 for %c64] : !stream.resource<transient>{%c64} -> %a as !stream.resource<transient>{%c64}
  %b = stream.async.barrier on(#hal.device.affinity<@left>) %r : !stream.resource<transient>{%c64}
  %t = stream.async.transfer on(#hal.device.affinity<@right>) %b : !stream.resource<transient>{%c64} from(#hal.device.affinity<@left>) -> to(#hal.device.affinity<@right>) !stream.resource<external>{%c64}
  %g = stream.async.transfer %t : !stream.resource<external>{%c64} from(#hal.device.affinity<@right>) -> !stream.resource<staging>{%c64}
  %l = stream.async.load %g[%c0] : !stream.resource<staging>{%c64} -> f32
  %w = stream.async.store %l, %g[%c32] : f32 -> %g as !stream.resource<staging>{%c64}
  util.return %t : !stream.resource<external>
}
