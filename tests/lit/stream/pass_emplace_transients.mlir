// RUN: %headrace-opt %s --emplace-transients --keep-names | %filecheck %s

// CHECK: util.func public @f({{.*}}iree.abi.transients.size = @f_transients_size
// CHECK-NOT: stream.resource.alloca
// CHECK: %a = stream.resource.subview %st[%{{.*}}] : !stream.resource<transient>{%n} -> !stream.resource<transient>{%s}
// CHECK-NOT: stream.resource.dealloca
// CHECK: stream.timepoint.await %t1 => %r
// CHECK: util.func private @f_transients_size
// CHECK: util.align
// CHECK: util.return
util.func public @f(%r: !stream.resource<external>, %s: index, %st: !stream.resource<transient>, %n: index) -> !stream.resource<external> {
  %c0 = arith.constant 0 : index
  %a, %t0 = stream.resource.alloca uninitialized : !stream.resource<transient>{%s} => !stream.timepoint
  %t1 = stream.cmd.execute await(%t0) => with(%r as %x: !stream.resource<external>{%s}, %a as %y: !stream.resource<transient>{%s}) {
    stream.cmd.copy %x[%c0], %y[%c0], %s : !stream.resource<external>{%s} -> !stream.resource<transient>{%s}
    stream.cmd.copy %y[%c0], %x[%c0], %s : !stream.resource<transient>{%s} -> !stream.resource<external>{%s}
  } => !stream.timepoint
  %t2 = stream.resource.dealloca await(%t1) => %a : !stream.resource<transient>{%s} => !stream.timepoint
  %q, %tq = stream.resource.transients await(%t1) => %r : !stream.resource<external>{%s} from %st : !stream.resource<transient>{%n} => !stream.timepoint
  %w = stream.timepoint.await %tq => %q : !stream.resource<external>{%s}
  util.return %w : !stream.resource<external>
}

// Branches share; a loop keeps its own.
// CHECK: util.func public @branches({{.*}}iree.abi.transients.size.constant = 128 : index
// CHECK: scf.if
// CHECK: stream.resource.subview %st[%[[O:.*]]]
// CHECK: else
// CHECK: stream.resource.subview %st[%[[O]]]
// CHECK: scf.for
// CHECK: stream.resource.alloca
util.func public @branches(%r: !stream.resource<external>, %st: !stream.resource<transient>, %n: index, %c: i1) -> !stream.resource<external> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  scf.if %c {
    %a, %t = stream.resource.alloca uninitialized : !stream.resource<transient>{%c64} => !stream.timepoint
    %d = stream.resource.dealloca await(%t) => %a : !stream.resource<transient>{%c64} => !stream.timepoint
  } else {
    %a, %t = stream.resource.alloca uninitialized : !stream.resource<transient>{%c128} => !stream.timepoint
    %d = stream.resource.dealloca await(%t) => %a : !stream.resource<transient>{%c128} => !stream.timepoint
  }
  scf.for %i = %c0 to %n step %c1 {
    %a, %t = stream.resource.alloca uninitialized : !stream.resource<transient>{%c64} => !stream.timepoint
    %d = stream.resource.dealloca await(%t) => %a : !stream.resource<transient>{%c64} => !stream.timepoint
  }
  %q, %tq = stream.resource.transients %r : !stream.resource<external>{%c64} from %st : !stream.resource<transient>{%n} => !stream.timepoint
  %w = stream.timepoint.await %tq => %q : !stream.resource<external>{%c64}
  util.return %w : !stream.resource<external>
}
