// RUN: headrace-opt %s | headrace-opt | filecheck %s

// CHECK-LABEL: util.func public @contents
util.func public @contents(%v: f32, %i: index, %n: index, %s: !stream.resource<staging>) -> f32 {
  // CHECK: stream.tensor.empty : tensor<4xf32> in !stream.resource<*>{%{{.*}}}
  %a = stream.tensor.empty : tensor<4xf32> in !stream.resource<*>{%n}
  // CHECK: stream.tensor.constant : tensor<2xf32> in !stream.resource<constant> = dense<1.000000e+00> : tensor<2xf32>
  %b = stream.tensor.constant : tensor<2xf32> in !stream.resource<constant> = dense<1.0> : tensor<2xf32>
  // CHECK: stream.tensor.fill
  %c = stream.tensor.fill %v, %a[%i for %i] : f32 -> tensor<4xf32> in %a as !stream.resource<*>{%n}
  // CHECK: stream.tensor.store
  %d = stream.tensor.store %v, %s[%i] : f32 -> tensor<4xf32> in %s as !stream.resource<staging>{%n}
  // CHECK: stream.tensor.load
  %e = stream.tensor.load %d[%i] : tensor<4xf32> in !stream.resource<staging>{%n} -> f32
  util.return %e : f32
}

// CHECK-LABEL: util.func public @caller
util.func public @caller(%v: f32, %i: index, %n: index, %s: !stream.resource<staging>) -> f32 {
  // CHECK: util.call @contents(%{{.*}}) : (f32, index, index, !stream.resource<staging>) -> f32
  %r = util.call @contents(%v, %i, %n, %s) : (f32, index, index, !stream.resource<staging>) -> f32
  // CHECK: stream.channel.create rank(%{{.*}}) count(%{{.*}}) : !stream.channel
  %c = stream.channel.create rank(%i) count(%n) : !stream.channel
  // CHECK: stream.channel.count %{{.*}} : index
  %k = stream.channel.count %c : index
  util.return %r : f32
}

// CHECK-LABEL: util.func public @views
util.func public @views(%view: !hal.buffer_view, %v: f32) -> !hal.buffer_view {
  // CHECK: hal.buffer_view.dim<%{{.*}} : !hal.buffer_view>[0] : index
  %d = hal.buffer_view.dim<%view : !hal.buffer_view>[0] : index
  // CHECK: hal.tensor.import %{{.*}} "x" : !hal.buffer_view -> tensor<?x4xf32>{%{{.*}}}
  %t = hal.tensor.import %view "x" : !hal.buffer_view -> tensor<?x4xf32>{%d}
  // CHECK: flow.tensor.clone %{{.*}} : tensor<?x4xf32>{%{{.*}}}
  %c = flow.tensor.clone %t : tensor<?x4xf32>{%d}
  // CHECK: flow.tensor.splat %{{.*}} : tensor<?x4xf32>{%{{.*}}}
  %s = flow.tensor.splat %v : tensor<?x4xf32>{%d}
  // CHECK: hal.tensor.export %{{.*}} "y" : tensor<?x4xf32>{%{{.*}}} -> !hal.buffer_view
  %o = hal.tensor.export %c "y" : tensor<?x4xf32>{%d} -> !hal.buffer_view
  util.return %o : !hal.buffer_view
}
