// RUN: %headrace-opt %s --emplace-allocations --keep-names | %filecheck %s

// CHECK: %u = stream.async.dispatch @k::@left_half(%out[%c0 to %half for %half]) : (!stream.resource<transient>{%s}) -> %out{%s}
// CHECK-NOT: stream.async.update
// CHECK: util.return %u

util.func private @concat_half(%s: index, %half: index) -> !stream.resource<transient> {
  %c0 = arith.constant 0 : index
  %out = stream.async.alloca : !stream.resource<transient>{%s}
  %d = stream.async.dispatch @k::@left_half() : () -> !stream.resource<transient>{%half}
  %u = stream.async.update %d, %out[%c0 to %half] : !stream.resource<transient>{%half} -> %out as !stream.resource<transient>{%s}
  util.return %u : !stream.resource<transient>
}
