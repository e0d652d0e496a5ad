// RUN: %headrace-opt %s --materialize-copy-on-write --keep-names | %filecheck %s

// CHECK: @read_later
// CHECK: %[[C:.*]] = stream.async.clone %x
// CHECK: stream.async.fill %v, %[[C]]
// CHECK: @last_use
// CHECK: %[[D:.*]] = stream.async.clone %x
// CHECK: stream.async.fill %v, %[[D]]

util.func private @read_later(%v: i32, %s: index) -> (!stream.resource<*>, !stream.resource<*>) {
  %c0 = arith.constant 0 : index
  %x = stream.async.dispatch @k::@k() : () -> !stream.resource<*>{%s}
  %f = stream.async.fill %v, %x[%c0 to %s for %s] : i32 -> %x as !stream.resource<*>{%s}
  %y = stream.async.dispatch @k::@g(%x[%c0 to %s for %s]) : (!stream.resource<*>{%s}) -> !stream.resource<*>{%s}
  util.return %f, %y : !stream.resource<*>, !stream.resource<*>
}
util.func private @last_use(%v: i32, %s: index) -> !stream.resource<*> {
  %c0 = arith.constant 0 : index
  %x = stream.async.dispatch @k::@k() : () -> !stream.resource<*>{%s}
  %f = stream.async.fill %v, %x[%c0 to %s for %s] : i32 -> %x as !stream.resource<*>{%s}
  util.return %f : !stream.resource<*>
}
