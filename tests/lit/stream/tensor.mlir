// RUN: %headrace-opt %s --keep-names | %headrace-opt - --keep-names | %filecheck %s

// CHECK: util.func private @tensor_level(%view: !hal.buffer_view, %n: index, %v: f32) -> !hal.buffer_view {
// CHECK: %s = stream.tensor.sizeof on(#hal.device.affinity<@left>) tensor<?x4xf32>{%n} : index
// CHECK: %in = stream.tensor.import on(#hal.device.affinity<@left>) consume %view : !hal.buffer_view -> tensor<?x4xf32>{%n} in !stream.resource<external>{%s}
// CHECK: %x = stream.async.cast on(#hal.device.affinity<@left>) %in : !stream.resource<external>{%s} -> !stream.resource<*>{%s}
// CHECK: %y = stream.tensor.dispatch on(#hal.device.affinity<@left>) @k::@scale[%n](%x, %v) : (tensor<?x4xf32>{%n} in !stream.resource<*>{%s}, f32) -> tensor<?x4xf32>{%n} in !stream.resource<*>{%s}
// CHECK: %row = stream.tensor.splat on(#hal.device.affinity<@left>) %v : f32 -> tensor<1x4xf32> in !stream.resource<*>{%c16}
// CHECK: %u = stream.tensor.update on(#hal.device.affinity<@left>) %row, %y[%c0, %c0] : tensor<1x4xf32> in !stream.resource<*>{%c16} -> tensor<?x4xf32>{%n} in %y as !stream.resource<*>{%s}
// CHECK: %k = stream.tensor.clone on(#hal.device.affinity<@left>) %u : tensor<?x4xf32>{%n} in !stream.resource<*>{%s} -> tensor<?x4xf32>{%n} in !stream.resource<*>{%s}
// CHECK: %p = stream.tensor.slice on(#hal.device.affinity<@left>) %k[%c0, %c0 for %c1, %c1] : tensor<?x4xf32>{%n} in !stream.resource<*>{%s} -> tensor<1x1xf32> in !stream.resource<*>{%c16}
// CHECK: %o = stream.async.cast on(#hal.device.affinity<@left>) %k : !stream.resource<*>{%s} -> !stream.resource<external>{%s}
// CHECK: %e = stream.tensor.export on(#hal.device.affinity<@left>) %o : tensor<?x4xf32>{%n} in !stream.resource<external>{%s} -> !hal.buffer_view
// CHECK: util.return %e : !hal.buffer_view

util.func private @tensor_level(%view: !hal.buffer_view, %n: index, %v: f32) -> !hal.buffer_view {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %s = stream.tensor.sizeof on(#hal.device.affinity<@left>) tensor<?x4xf32>{%n} : index
  %in = stream.tensor.import on(#hal.device.affinity<@left>) consume %view : !hal.buffer_view -> tensor<?x4xf32>{%n} in !stream.resource<external>{%s}
  %x = stream.async.cast on(#hal.device.affinity<@left>) %in : !stream.resource<external>{%s} -> !stream.resource<*>{%s}
  %y = stream.tensor.dispatch on(#hal.device.affinity<@left>) @k::@scale[%n](%x, %v) : (tensor<?x4xf32>{%n} in !stream.resource<*>{%s}, f32) -> tensor<?x4xf32>{%n} in !stream.resource<*>{%s}
  %row = stream.tensor.splat on(#hal.device.affinity<@left>) %v : f32 -> tensor<1x4xf32> in !stream.resource<*>{%c16}
  %u = stream.tensor.update on(#hal.device.affinity<@left>) %row, %y[%c0, %c0] : tensor<1x4xf32> in !stream.resource<*>{%c16} -> tensor<?x4xf32>{%n} in %y as !stream.resource<*>{%s}
  %k = stream.tensor.clone on(#hal.device.affinity<@left>) %u : tensor<?x4xf32>{%n} in !stream.resource<*>{%s} -> tensor<?x4xf32>{%n} in !stream.resource<*>{%s}
  %p = stream.tensor.slice on(#hal.device.affinity<@left>) %k[%c0, %c0 for %c1, %c1] : tensor<?x4xf32>{%n} in !stream.resource<*>{%s} -> tensor<1x1xf32> in !stream.resource<*>{%c16}
  %o = stream.async.cast on(#hal.device.affinity<@left>) %k : !stream.resource<*>{%s} -> !stream.resource<external>{%s}
  %e = stream.tensor.export on(#hal.device.affinity<@left>) %o : tensor<?x4xf32>{%n} in !stream.resource<external>{%s} -> !hal.buffer_view
  util.return %e : !hal.buffer_view
}
