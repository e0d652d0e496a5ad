// RUN: %headrace-opt %s --unify-carried-storage --keep-names | %filecheck %s

// CHECK: %[[C:.*]] = stream.async.clone %z
// CHECK: scf.for {{.*}} iter_args(%b = %[[C]])
// CHECK-NOT: stream.async.clone
// CHECK: util.return

util.func public @f(%x: !hal.buffer_view, %v: i32, %n: index) -> (!hal.buffer_view, !hal.buffer_view) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %i = stream.tensor.import %x : !hal.buffer_view -> tensor<4xf32> in !stream.resource<external>{%c16}
  %a = stream.async.cast %i : !stream.resource<external>{%c16} -> !stream.resource<*>{%c16}
  %y = stream.async.dispatch @k::@k(%a[%c0 to %c16 for %c16]) : (!stream.resource<*>{%c16}) -> !stream.resource<*>{%c16}
  %z = stream.async.dispatch @k::@t(%y[%c0 to %c16 for %c16]) : (!stream.resource<*>{%c16}) -> !stream.resource<*>{%c16}
  %r = scf.for %j = %c0 to %n step %c1 iter_args(%b = %z) -> (!stream.resource<*>) {
    %w = stream.async.fill %v, %b[%c0 to %c16 for %c16] : i32 -> %b as !stream.resource<*>{%c16}
    scf.yield %w : !stream.resource<*>
  }
  %o = stream.async.cast %r : !stream.resource<*>{%c16} -> !stream.resource<external>{%c16}
  %e = stream.tensor.export %o : tensor<4xf32> in !stream.resource<external>{%c16} -> !hal.buffer_view
  %p = stream.async.cast %z : !stream.resource<*>{%c16} -> !stream.resource<external>{%c16}
  %g = stream.tensor.export %p : tensor<4xf32> in !stream.resource<external>{%c16} -> !hal.buffer_view
  util.return %e, %g : !hal.buffer_view, !hal.buffer_view
}
