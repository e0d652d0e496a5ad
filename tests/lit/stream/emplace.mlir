// RUN: %headrace-opt %s --keep-names | %headrace-opt - --keep-names | %filecheck %s

// CHECK: util.func private @concat_half(%s: index, %half: index) -> !stream.resource<transient> {
// CHECK: %out = stream.async.alloca : !stream.resource<transient>{%s}
// CHECK: %d = stream.async.dispatch @k::@left_half() : () -> !stream.resource<transient>{%half}
// CHECK: %u = stream.async.update %d, %out[%c0 to %half] : !stream.resource<transient>{%half} -> %out as !stream.resource<transient>{%s}
// CHECK: util.return %u : !stream.resource<transient>

util.func private @concat_half(%s: index, %half: index) -> !stream.resource<transient> {
  %c0 = arith.constant 0 : index
  %out = stream.async.alloca : !stream.resource<transient>{%s}
  %d = stream.async.dispatch @k::@left_half() : () -> !stream.resource<transient>{%half}
  %u = stream.async.update %d, %out[%c0 to %half] : !stream.resource<transient>{%half} -> %out as !stream.resource<transient>{%s}
  util.return %u : !stream.resource<transient>
}
