// RUN: %headrace-opt %s --fuse-dispatch-bindings --keep-names | %filecheck %s

// Reads of one resource at every call become one binding; a binding that is written stays.
// CHECK-LABEL: stream.executable private @k
// CHECK: util.func public @add(%x: !stream.binding, %z: !stream.binding, %n: index, %[[A:.*]]: index, %[[B:.*]]: index)
// CHECK: %[[O:.*]] = arith.addi %c0, %[[A]]
// CHECK: stream.binding.subspan %x[%[[O]]]
// CHECK: %[[P:.*]] = arith.addi %c0, %[[B]]
// CHECK: stream.binding.subspan %x[%[[P]]]
stream.executable private @k {
  stream.executable.export public @add
  builtin.module {
    util.func public @add(%x: !stream.binding, %y: !stream.binding, %z: !stream.binding, %n: index) {
      %c0 = arith.constant 0 : index
      %a = stream.binding.subspan %x[%c0] : !stream.binding -> memref<16xf32>
      %b = stream.binding.subspan %y[%c0] : !stream.binding -> memref<16xf32>
      %c = stream.binding.subspan %z[%c0] : !stream.binding -> memref<16xf32>
      util.return
    }
  }
}
// CHECK-LABEL: @call
// CHECK: stream.cmd.dispatch @k::@add(%n, %{{.*}}, %c64 : index, index, index) {
// CHECK-NEXT: ro %a[%{{.*}} for %s] : !stream.resource<transient>{%s},
// CHECK-NEXT: wo %a[%c128 for %c64] : !stream.resource<transient>{%s}
// CHECK: stream.cmd.dispatch @k::@add(%n, %c64, %c64 : index, index, index) {
util.func private @call(%r: !stream.resource<transient>, %s: index, %n: index) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %t = stream.cmd.execute with(%r as %a: !stream.resource<transient>{%s}) {
    stream.cmd.dispatch @k::@add(%n : index) {
      ro %a[%c0 for %c64] : !stream.resource<transient>{%s},
      ro %a[%c64 for %c64] : !stream.resource<transient>{%s},
      wo %a[%c128 for %c64] : !stream.resource<transient>{%s}
    }
    stream.cmd.dispatch @k::@add(%n : index) {
      ro %a[%c64 for %c64] : !stream.resource<transient>{%s},
      ro %a[%c64 for %c64] : !stream.resource<transient>{%s},
      wo %a[%c128 for %c64] : !stream.resource<transient>{%s}
    }
  } => !stream.timepoint
  util.return %t : !stream.timepoint
}

// Kernels on tensors keep their signature; the function says where its ranges are.
// CHECK-LABEL: stream.executable private @t
// CHECK: headrace.fused = [array<i64: 0, 0>, array<i64: 0, 1>, array<i64: 1, -1>]
stream.executable private @t {
  stream.executable.export public @mul
  builtin.module {
    func.func @mul(%x: tensor<16xf32>, %y: tensor<16xf32>) -> tensor<16xf32> {
      %z = arith.mulf %x, %y : tensor<16xf32>
      func.return %z : tensor<16xf32>
    }
  }
}
util.func private @tensors(%r: !stream.resource<transient>, %s: index) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %t = stream.cmd.execute with(%r as %a: !stream.resource<transient>{%s}) {
    stream.cmd.dispatch @t::@mul {
      ro %a[%c0 for %c64] : !stream.resource<transient>{%s},
      ro %a[%c64 for %c64] : !stream.resource<transient>{%s},
      wo %a[%c64 for %c64] : !stream.resource<transient>{%s}
    }
  } => !stream.timepoint
  util.return %t : !stream.timepoint
}
