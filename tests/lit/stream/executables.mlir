// RUN: %headrace-opt %s --keep-names | %headrace-opt - --keep-names | %filecheck %s

// CHECK: stream.executable private @k {
// CHECK: stream.executable.export public @scale workgroups(%n: index) -> (index, index, index) {
// CHECK: stream.return %n, %c1, %c1 : index, index, index
// CHECK: util.func public @scale(%x: !stream.binding, %y: !stream.binding, %n: index) {
// CHECK: %id = stream.dispatch.workgroup.id[0] : index
// CHECK: %src = stream.binding.subspan %x[%c0] : !stream.binding -> memref<?xf32>{%n}
// CHECK: %dst = stream.binding.subspan %y[%c0] : !stream.binding -> memref<?xf32>{%n}
// CHECK: %v = memref.load %src[%id] : memref<?xf32>
// CHECK: util.return
// CHECK: util.global private mutable @counter = 0 : index
// CHECK: util.initializer {
// CHECK: util.global.store %c1, @counter : index
// CHECK: util.return
// CHECK: util.func public @entry(%x: tensor<?x4xf32>, %d: index, %ch: !stream.channel) -> tensor<?x4xf32> {
// CHECK: %n = util.global.load @counter : index
// CHECK: %m = util.align %n, %c64 : index
// CHECK: %rank = stream.channel.rank %ch : index
// CHECK: %sub = stream.channel.split %ch, %rank, %m : !stream.channel -> !stream.channel
// CHECK: %y = flow.tensor.transfer %x : tensor<?x4xf32>{%d} to #hal.device.promise<@right>
// CHECK: util.return %y : tensor<?x4xf32>

stream.executable private @k {
  stream.executable.export public @scale workgroups(%n: index) -> (index, index, index) {
    %c1 = arith.constant 1 : index
    stream.return %n, %c1, %c1 : index, index, index
  }
  builtin.module {
    util.func public @scale(%x: !stream.binding, %y: !stream.binding, %n: index) {
      %c0 = arith.constant 0 : index
      %id = stream.dispatch.workgroup.id[0] : index
      %src = stream.binding.subspan %x[%c0] : !stream.binding -> memref<?xf32>{%n}
      %dst = stream.binding.subspan %y[%c0] : !stream.binding -> memref<?xf32>{%n}
      %v = memref.load %src[%id] : memref<?xf32>
      memref.store %v, %dst[%id] : memref<?xf32>
      util.return
    }
  }
}
util.global private mutable @counter = 0 : index
util.initializer {
  %c1 = arith.constant 1 : index
  util.global.store %c1, @counter : index
  util.return
}
util.func public @entry(%x: tensor<?x4xf32>, %d: index, %ch: !stream.channel) -> tensor<?x4xf32> {
  %n = util.global.load @counter : index
  %c64 = arith.constant 64 : index
  %m = util.align %n, %c64 : index
  %rank = stream.channel.rank %ch : index
  %sub = stream.channel.split %ch, %rank, %m : !stream.channel -> !stream.channel
  %y = flow.tensor.transfer %x : tensor<?x4xf32>{%d} to #hal.device.promise<@right>
  util.return %y : tensor<?x4xf32>
}
