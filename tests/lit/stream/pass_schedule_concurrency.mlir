// RUN: %headrace-opt %s --schedule-execution --schedule-concurrency=favour=max-concurrency --keep-names | %filecheck %s

// CHECK: stream.async.concurrent
// CHECK: stream.async.dispatch @k::@a
// CHECK: stream.async.dispatch @k::@b
// CHECK: stream.yield
// CHECK: stream.async.dispatch @k::@c

util.global private @left : !hal.device
util.global private @right : !hal.device
util.func public @f(%x: !hal.buffer_view) -> !hal.buffer_view {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %i = stream.tensor.import on(#hal.device.affinity<@left>) %x : !hal.buffer_view -> tensor<4xf32> in !stream.resource<external>{%c16}
  %a = stream.async.dispatch on(#hal.device.affinity<@left>) @k::@a(%i[%c0 to %c16 for %c16]) : (!stream.resource<external>{%c16}) -> !stream.resource<transient>{%c16}
  %b = stream.async.dispatch on(#hal.device.affinity<@left>) @k::@b(%i[%c0 to %c16 for %c16]) : (!stream.resource<external>{%c16}) -> !stream.resource<transient>{%c16}
  %c = stream.async.dispatch on(#hal.device.affinity<@left>) @k::@c(%a[%c0 to %c16 for %c16], %b[%c0 to %c16 for %c16]) : (!stream.resource<transient>{%c16}, !stream.resource<transient>{%c16}) -> !stream.resource<transient>{%c16}
  %t = stream.async.transfer %c : !stream.resource<transient>{%c16} from(#hal.device.affinity<@left>) -> to(#hal.device.affinity<@right>) !stream.resource<transient>{%c16}
  %d = stream.async.dispatch on(#hal.device.affinity<@right>) @k::@d(%t[%c0 to %c16 for %c16]) : (!stream.resource<transient>{%c16}) -> !stream.resource<external>{%c16}
  %e = stream.tensor.export on(#hal.device.affinity<@right>) %d : tensor<4xf32> in !stream.resource<external>{%c16} -> !hal.buffer_view
  util.return %e : !hal.buffer_view
}
