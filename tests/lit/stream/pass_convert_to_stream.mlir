// RUN: %headrace-opt %s --convert-to-stream --keep-names | %filecheck %s

// CHECK: util.func public @f(%x: !hal.buffer_view, %n: index) -> !hal.buffer_view
// CHECK: %[[S:.*]] = stream.tensor.sizeof tensor<4xf32>
// CHECK: stream.tensor.import %x : !hal.buffer_view -> tensor<4xf32> in !stream.resource<external>{%[[S]]}
// CHECK: scf.for {{.*}} -> (!stream.resource<*>)
// CHECK: stream.tensor.dispatch @k::@k(%a)
// CHECK: stream.tensor.export

util.func public @f(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<4xf32>) {
    %b = flow.dispatch @k::@k(%a) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  util.return %r : tensor<4xf32>
}
